/* One execution: a machine, the steps it has taken, and how it ended. Knows nothing of strategies' insides. */
#pragma once
#include "execution/loops.h"
#include "machine/machine.h"
#include "strategy/strategy.h"
#include "trace/finding.h"

/* Looks for a circle: a state that recurs, with a step by every thread that could take one (livelock.h says which of them are livelocks).
 * Only executions of unusual length pay for it: the state at step 256, 512, 1,024, ... is compared with those that follow it. */
struct livelock {
  uint32_t from, next; /* step of the state held, of the next to hold */
  uint32_t thread, site;
  struct fingerprint state, threads; /* of everything; of the threads alone, which is compared first */
  struct tset enabled, stepped;      /* threads enabled in that state; threads that took a step since */
  bool late;                         /* since then, a thread that had ended was said not to have: it could have gone, too */
  bool found;
  bool known;  /* it is one: no thread is left in the midst of a step that may end and change something */
  bool judged; /* it is known whether it is a livelock */
  bool left;   /* no: there is a way out of it */
};

/* Looks for a thread that, running alone, comes back to the same state of everything: what follows was explored from where it began, so
 * the execution need not go on. It is no livelock: the others could run. Only a thread that takes many steps in a row pays for it. A
 * livelock's state that recurs while a thread takes its time to end is a circle, too. */
#define CIRCLE_SITES 16
struct circle {
  uint32_t thread, steps; /* taken by it in a row */
  uint32_t nsites;
  struct {
    uint32_t site, visits; /* visits in a row that found the threads as they were */
    struct fingerprint state, threads;
  } sites[CIRCLE_SITES];
  /* The same for turns that come back after several visits to a site: the state at steps 64, 128, 256, ... of them is compared with those
   * that follow it. */
  uint32_t held; /* the step of the state held; 0: none is. From step 64 on it is one of the present thread's */
  uint32_t held_site;
  struct fingerprint held_state, held_threads;
  bool found;
};

/* Looks for a circle in which inputs are read: a state that recurs but for the names of inputs (machine_live_state()). The state at steps
 * 32, 64, 128, ... is compared with some that follow it. So is one that reads 256 inputs: choices that are expressions may grow from turn
 * to turn, and paths know them apart. Found: livelock.found, known not to be one. */
struct input_circle {
  uint32_t next, thread, site, compared;
  size_t inputs; /* that were given */
  struct fingerprint state;
};

/* A state on the way of the present execution that the next one may begin from. */
struct run_mark {
  uint32_t depth; /* steps taken */
  size_t number;  /* of the machine's mark */
  struct livelock livelock;
  struct input_circle inputs;
  uint32_t circle_thread, circle_steps;
  bool loops_cut;
};

/* A thread that was parked. */
struct run_parked {
  uint32_t step; /* the one that it failed in */
  uint64_t key;  /* of the finding */
};

struct run {
  struct machine *machine;
  uint32_t step_limit; /* 0: none */
  struct loops loops;  /* their bound holds for run_with() and what run_view() shows; other steps are counted alone */
  struct schedule steps;
  VEC(uint32_t) ends; /* by step: number of events behind it */
  struct livelock livelock;
  struct circle circle;
  struct input_circle inputs;
  bool input_circles;            /* those are looked for */
  bool unwatched;                /* nobody looks whether anything recurs */
  bool circles;                  /* those that some threads take no part in are found, too (livelock.left) */
  bool parks;                    /* threads that fail alone are parked (machine_park()), as far as the strategy's own executions go */
  VEC(struct run_parked) parked; /* in the order of their steps */
  VEC(struct run_mark) marks;    /* by ascending depth */
  uint32_t mark_next;            /* depth to make the next one at */
  /* Set by run_finish(). */
  enum execution_end end;
  bool cut;      /* see strategy.h */
  bool given_up; /* by the strategy */
  bool too_long; /* step_limit was hit */
  bool stopped;  /* by the deadline: run_with() left it where it was. The strategy cannot go on */
};

void run_init(struct run *r, struct machine *m);
void run_release(struct run *r);
/* Back to the initial state. */
void run_begin(struct run *r);
/* Takes a step, which must be possible (run_possible()). */
enum machine_status run_step(struct run *r, struct step step);
bool run_possible(const struct run *r, struct step step);
/* True while another step can be taken, whatever the bound on loops says. */
bool run_going(const struct run *r);
/* What strategies see of the present state. Holds until the next step. */
struct execution run_view(const struct run *r);
/* Back to the last state kept (run_keep()) that these steps pass, or to the initial one. */
void run_return(struct run *r, const struct step *steps, size_t n);
/* Keeps the present state, deeper than all that are kept. What is known of a thread that has run alone for long (struct circle) is not
 * kept: an execution that goes on from there may run into its circle later. */
void run_keep(struct run *r);
/* Takes these steps. False at one that is not possible: the program does not repeat itself. */
[[nodiscard]] bool run_follow(struct run *r, const struct step *steps, size_t n);
/* Settles how the execution ended. */
void run_finish(struct run *r);
/* One whole execution under a strategy. False if its prefix could not be followed: the program does not repeat itself. */
bool run_with(struct run *r, const struct strategy_type *type, struct strategy *s, const struct schedule *prefix);
/* The finding that the execution ended with, or NULL. A livelock's is made here, into `*own`, which the caller releases. */
const struct finding *run_finding(const struct run *r, struct finding *own);
/* Switches from one thread to another in a schedule of the machine; flushes of a thread's stores are its own steps. */
uint32_t schedule_switches(const struct machine *m, const struct step *steps, size_t n);
