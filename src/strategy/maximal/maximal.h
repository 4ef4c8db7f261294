/* The parts of the strategy `maximal` (maximal.c): what they share. docs/maximal.md says what it is about, docs/architecture.md has a
 * glossary.
 *
 * 1. search.nodes.data[i] is the state before search.path.steps.data[i]; `history` and `past` have the steps that were taken.
 * 2. A node's `backtrack` contains its `done`.
 * 3. A state is entered as closed when nothing is left to explore at its node, and nothing below it was left open. */
#pragma once
#include "happens/history.h"
#include "happens/section.h"
#include "machine/machine.h"
#include "states/commons.h"
#include "states/past.h"
#include "states/summary.h"
#include "states/visited.h"
#include "strategy/maximal/open_nodes.h"
#include "strategy/strategy.h"

/* A step explored from an earlier state, with nothing dependent taken since. Taking it here would lead to a state that comes behind a
 * closed one: the step counts as explored without being taken. */
struct sleeper {
  uint32_t thread, choice;
  uint32_t alternatives;  /* that its thread's step has */
  uint32_t event, events; /* in sleep_events */
  uint32_t origin;        /* the node where it was explored */
  uint32_t looked;        /* the node where it was last explored without being taken, or where it was explored */
  uint32_t own, below;    /* summaries: of its events; of them and what follows there */
};

struct node {
  struct fingerprint key;
  struct tset enabled;
  struct tset backtrack; /* threads to explore here, done ones included */
  struct tset done;
  struct tset awaited;   /* enabled agents whose thread's next step waits for an empty buffer */
  uint32_t alternatives; /* of the present thread's step; 0: not known yet */
  uint32_t summary;      /* of what was explored below */
  uint32_t first_sleeper, sleepers, first_sleep_event;
  uint32_t version; /* of the racers, when its key was made */
  uint32_t since;   /* executions before it */
  bool open;        /* what follows was cut short below: never closed */
  bool common;      /* there are hints: somebody has explored here for a while */
  bool ended;       /* the present step, or a later one of the section that it begins, ended an execution for everybody */
};

/* The stack of the depth-first search, and the present execution. */
struct search {
  bool started, resumed;
  VEC(struct node) nodes;
  struct open_nodes open;
  struct schedule path;
  struct schedule prefix;       /* borrows path's array */
  VEC(uint32_t) made;           /* by step: the summary of its own events */
  uint8_t parents[THREADS_MAX]; /* who makes each thread, or has an agent; itself: not known, there from the beginning */
  uint32_t below;               /* summary of what follows the last step */
  bool below_open;              /* which is not known to be all */
  bool covered;                 /* the execution was given up in a state that sleeping steps cover: its races are known */
};

/* The sleepers of all nodes, those of the deepest one last. */
struct sleeping {
  VEC(struct sleeper) sleepers;
  VEC(struct event) events;       /* of their steps */
  struct operation_bits affected; /* only within explore_asleep() */
};

/* What a worker has to do with others. */
struct sharing {
  struct commons_view view; /* view.commons: NULL if nobody else explores: then memory.visited has the closed states */
  uint32_t worker;          /* of several */
  bool mute;                /* there was no room to say something: nothing is entered any more */
  uint32_t executions;      /* so far */
};

/* What is known of states. */
struct memory {
  struct summaries summaries;
  struct visited visited;
  size_t most; /* bytes for each of them */
};

struct strategy {
  struct strategy_options options;
  struct history history;
  struct past past;
  struct sections sections; /* kept over restarts */
  struct search search;
  struct sleeping sleeping;
  struct sharing sharing;
  struct memory memory;
};

/* --- sharing.c --- */

uint32_t closed_summary(struct strategy *s, struct fingerprint key);
/* Says which accesses were seen, before anything is closed that they are below; and hears which others were. True: keys of states may be
 * others now. */
bool exchange_with_others(struct strategy *s);
static inline bool exchange_accesses(struct strategy *s) { return s->sharing.view.commons && exchange_with_others(s); }
void close_state(struct strategy *s, const struct node *n);
/* Tells others what is to be explored at a node, if that is worth it, and which thread this worker explores there. */
void publish_to_others(const struct strategy *s, struct node *n, uint32_t present);
static inline void publish_node(const struct strategy *s, struct node *n, uint32_t present) {
  if (s->sharing.view.commons) publish_to_others(s, n, present);
}
/* The worker goes somewhere else before the node is closed. */
void withdraw_from_node(const struct strategy *s, const struct node *n);
/* Others are at the new node, too: it will have to be explored what they found has to be. */
void take_hints(struct strategy *s, struct node *n);
/* Of the threads `left` at a node, one that others have done, if there is any: that costs a step, and then it sleeps below the others. Else
 * one that nobody else explores. */
uint32_t choose_thread_left(const struct strategy *s, const struct node *n, const struct tset *left);
/* Another worker explores the same thread at the node as this one, and there is one that nobody explores: returns that, or THREADS_MAX. */
uint32_t choose_other_thread(const struct strategy *s, struct node *n, uint32_t present);
/* The summary of a node's state if somebody else has closed that. If accesses were seen since the node's key was made, it may lack some:
 * that is not known. */
uint32_t closed_since(struct strategy *s, const struct node *n);

/* --- backtrack.c --- */

/* Thread q, whose last step on the stack is `previous`, does something behind the present end or there that depends on step i and is not
 * ordered after it. Sees to it that a step is explored at node i that begins what comes before that, or q itself, or everything. */
void add_backtrack(struct strategy *s, uint32_t i, uint32_t q, uint32_t previous);
/* Of the races that `history` has found last, of the thread, reverses those with steps from `from` on. */
void reverse_found_races(struct strategy *s, uint32_t thread, uint32_t previous, uint32_t from);
static inline void reverse_races(struct strategy *s, uint32_t thread, uint32_t previous, uint32_t from) {
  if (s->history.races.count) reverse_found_races(s, thread, previous, from);
}
/* Has the thread ended? Whatever has its number below the present end is another one, which its maker is to make when it has joined it. */
static inline bool is_over(const struct history *h, uint32_t thread) {
  uint32_t last = h->last[thread];
  if (last == NO_STEP || (h->forked[thread] != NO_STEP && h->forked[thread] > last)) return false;
  uint32_t after = last + 1 < h->steps.count ? h->steps.data[last + 1].first_event : (uint32_t)h->events.count;
  const struct event *e = &h->events.data[after - 1];
  return e->op == EVENT_END && e->thread == thread;
}

/* The thread, if it is there at the present end; or the one that makes it, or who makes that one. */
static inline uint32_t root_of(const struct strategy *s, uint32_t thread) {
  const struct history *h = &s->history;
  while ((history_previous(h, thread) == NO_STEP || is_over(h, thread)) && thread != s->search.parents[thread])
    thread = s->search.parents[thread];
  return thread;
}
/* The first node from `from` on where not all threads are to be explored yet: at those before it, no backtracking point is missing. */
uint32_t first_incomplete_node(struct strategy *s, uint32_t from);
/* Enters the deepest node, a new one, for that. */
void note_open_node(struct strategy *s);
/* Operation `o` is taken somewhere behind the present end: reverses its races with the steps from `from` on. */
void reverse_operation(struct strategy *s, const struct operation *o, uint32_t from);
/* What `summary` says happens behind the present end: reverses its races. */
void reverse_summary(struct strategy *s, uint32_t summary);

/* --- sleeping.c --- */

/* The sleepers that a new node, the deepest, inherits: those independent of the step that led to it. */
void inherit_sleepers(struct strategy *s, struct node *n, const struct execution *x);
/* The step of the deepest node has been explored completely: it sleeps from now on. */
void put_to_sleep(struct strategy *s, uint32_t below);
/* Do all alternatives of the thread's step sleep? */
bool is_asleep(const struct strategy *s, const struct node *n, uint32_t thread);
/* The first alternative of the thread's step, from `choice` on, that does not sleep. Others that sleep are not taken again: each sleeps
 * once. */
uint32_t awake_choice(const struct strategy *s, const struct node *n, uint32_t thread, uint32_t choice);
/* Explores the sleeping steps of the thread from the deepest node without taking them: what is below them is below the closed states where
 * they were explored. Races with steps before those were found there. */
void explore_asleep(struct strategy *s, uint32_t thread);

/* --- stack.c --- */

/* Gives the deepest node its next thread to explore; false if it has none left. */
bool next_thread(struct strategy *s);
/* Everything below the deepest node was explored. */
void close_node(struct strategy *s);
bool advance_search(struct strategy *s);
