/* State of the dpor strategy: a stack of nodes, one for each step of the present execution. For dpor.c, bounded.c and frontier.c alone.
 *
 * Invariants:
 *   1. nodes.data[i] is the state before path.steps.data[i]; both stacks and, between executions, the history have the same height.
 *   2. The sleepers of a node lie behind those of the nodes below it; the deepest node's are the last.
 *   3. Nodes below `floor` belong to others: what has to be explored there is written down in `requests`. */
#pragma once
#include "happens/history.h"
#include "happens/section.h"
#include "strategy/strategy.h"

/* A step explored from an earlier state, with nothing dependent taken since: taking it here would repeat a trace. */
struct sleeper {
  uint32_t thread, choice;
  uint32_t alternatives;  /* that its thread's step has */
  uint32_t event, events; /* in sleep_events */
};

struct dpor_node {
  struct tset enabled;
  struct tset backtrack; /* threads to explore here, done ones included */
  struct tset done;
  uint32_t alternatives; /* of the present thread's step; 0: not known yet */
  uint32_t first_sleeper, sleepers, first_sleep_event;
  uint32_t preemptions; /* limited: in the steps before */
  bool ended;           /* the present step, or a later one of the section that it begins, ended an execution for everybody */
};

/* At a node below the floor: unless one of the threads `unless` is explored there, those of `add` must be. */
struct dpor_request {
  uint32_t node;
  struct tset unless, add;
};

struct strategy {
  struct strategy_options options;
  bool limited; /* by preemptions */
  bool bound_hit;
  bool started, resumed;
  struct history history;
  struct sections sections; /* kept over restarts */
  struct schedule path;
  struct schedule prefix; /* borrows path's array */
  VEC(struct dpor_node) nodes;
  VEC(struct sleeper) sleepers;
  VEC(struct event) sleep_events;
  /* A part of the exploration that was handed over (frontier.h): the stack as it stands begins with the first `known` steps, whose races
   * have been reversed. */
  bool handed;
  uint32_t floor, known;
  VEC(struct dpor_request) requests;
};

/* Exploration with at most options.bound preemptions (bounded.c): counts them for a new node. */
void bounded_enter(struct strategy *s, struct dpor_node *n, const struct execution *x);
/* Backtracking points for taking `thread` before step `node`. */
void bounded_reverse(struct strategy *s, uint32_t node, uint32_t thread);
