/* Strategies: traces in, prefixes out.
 *
 * The explorer owns the machine. For each execution it asks the strategy for a prefix, follows it, and from there on asks before each
 * step which thread goes next, until the execution ends or the strategy gives it up as redundant. Then the strategy sees the whole
 * execution. A strategy never touches the machine; it sees a view of the state before each step. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "trace/event.h"
#include "trace/schedule.h"
#include "trace/tset.h"

struct machine;
struct machine_options;
struct machine_invocation;
struct depend;
struct commons;
struct prefix_type;
struct image;
struct plan;

/* How an execution ended. */
enum execution_end {
  EXECUTION_COMPLETE,
  EXECUTION_FAILED,  /* with a finding */
  EXECUTION_ASSUMED, /* an assumption of the program was false */
  EXECUTION_STUCK,   /* only threads are left that wait for something from outside */
  EXECUTION_CIRCLE,  /* a thread that ran alone came back to a state in which it had been */
  EXECUTION_LIMIT    /* a bound on steps, loops or instructions was hit */
};

/* An execution so far. Valid during the call. Events and steps differ: a step makes one event or more (an atomic section; the end of a
 * thread); step i made the events [ends[i - 1], ends[i]), where ends[-1] stands for 0. */
struct execution {
  struct machine *machine;    /* for the functions below alone */
  const struct tset *enabled; /* never empty when a strategy is asked to pick */
  const struct tset *alive;   /* in both, no thread that the bound on loops has stopped (loops.h) */
  const struct step *steps;
  const uint32_t *ends;
  const struct event *trace;
  uint32_t depth; /* steps taken */
  uint64_t loops; /* a hash of what the bound on loops goes by: states that differ in it may have different continuations */
};

/* The pending event of a live thread. */
const struct event *execution_pending(const struct execution *x, uint32_t thread);
/* And what it looks at besides: machine_interruptible(). */
const struct event *execution_interruptible(const struct execution *x, uint32_t thread);
/* May threads interrupt each other? */
bool execution_has_interrupts(const struct execution *x);
/* In how many ways the pending step of an enabled thread can go. */
uint32_t execution_alternatives(const struct execution *x, uint32_t thread);
/* Quick: false if there is certainly one way, as there usually is. */
bool execution_may_choose(const struct execution *x, uint32_t thread);
/* machine_owner() and machine_oldest_flush(). */
uint32_t execution_owner(const struct execution *x, uint32_t thread);
uint32_t execution_oldest_flush(const struct execution *x, uint32_t thread);
/* The bytes [address, address + size), at most 8, in the initial state, as a little-endian number. False: they were not there, or not
 * written yet. */
bool execution_initial(const struct execution *x, uint64_t address, uint32_t size, uint64_t *value);
/* The threads that were parked: they failed, and the others went on (machine_park()). They are alive, and never enabled. */
const struct tset *execution_parked(const struct execution *x);
/* What machine the execution is on: memory model, spurious wake-ups, ... */
const struct machine_options *execution_options(const struct execution *x);

/* Of an execution that is over: which reads its events depend on (machine/interpret/depend.h), found by repeating it; false: it cannot be.
 * For strategies that never PICK_RETURN. */
bool execution_depend(const struct execution *x, struct depend *out);

/* machine_invocations() and machine_call(). */
const struct machine_invocation *execution_invocations(const struct execution *x, uint32_t *n);
bool execution_call(const struct execution *x, unsigned function, const int64_t *arguments, unsigned n, int64_t *result);

/* Runs these steps, the last of the execution with some of those before it, alone, and calls `visit` in the state that they lead to; it is
 * not called if they cannot be taken, or end the execution. Then the machine stands where it stood; false: it does not, as more memory
 * turned out to be shared or the time is over, and the execution must be given up. For strategies that never PICK_RETURN. */
bool execution_visit(const struct execution *x, const struct step *steps, uint32_t n,
                     void (*visit)(void *data, const struct execution *there), void *data);

/* The program, and what is known of its text. NULL: there is none. */
const struct image *execution_image(const struct execution *x);

/* Fingerprint of the state before the next step: where it is equal, the same can follow (machine_state()). Cheap if asked at every step. */
struct fingerprint execution_fingerprint(const struct execution *x);
/* For programs with symbolic data whose executions have no end (machine_explores_paths()): machine_live_state(), machine_decisions(),
 * machine_leaves_pending(); how many inputs were given. */
bool execution_is_symbolic(const struct execution *x);
struct fingerprint execution_live_state(const struct execution *x);
size_t execution_decisions(const struct execution *x);
bool execution_leaves_pending(const struct execution *x, size_t from, uint64_t tag);
size_t execution_inputs(const struct execution *x);
/* Hash of what the program has written to standard output so far. */
uint64_t execution_output(const struct execution *x);

/* What an event is taken to depend on (docs/model.md, Dependency): all earlier reads of its thread; those that the machine saw go into what
 * it did; those that the program's text says. */
enum dependency { DEPENDENCY_ALL, DEPENDENCY_DYNAMIC, DEPENDENCY_STATIC };

/* random, pct: executions of a block, which has a seed of its own. */
#define STRATEGY_BLOCK 4096u

/* Which alternative comes next: one of the present execution's end, of the tree's top, or any. */
enum unfolding_order { UNFOLDING_DEPTH, UNFOLDING_BREADTH, UNFOLDING_RANDOM };

struct strategy_options {
  uint64_t seed;              /* random, pct, unfolding */
  uint32_t bound;             /* icb, dpor: largest number of preemptions to try; UINT32_MAX: all */
  uint32_t pct_depth;         /* pct: bug depth d; 0: 3 */
  uint64_t executions;        /* random, pct: how many executions to make; 0: no end */
  uint64_t block;             /* random, pct: the first block to draw (STRATEGY_BLOCK executions each) */
  bool once;                  /* icb: equivalent executions once, as far as the thread that runs is the same; not for livelocks */
  bool outcomes;              /* maximal: every outcome counts, so what was written is part of the state */
  bool no_races;              /* maximal: nobody looks for data races */
  uint64_t memory;            /* maximal: bytes for what is known of states; 0: a quarter of the computer's memory */
  enum dependency dependency; /* mcr-s, mcr-s+ */
  bool cutoffs;               /* unfolding: events that lead to a state that is known are left out; there is no bound on loops */
  enum unfolding_order order; /* unfolding; UNFOLDING_RANDOM goes by `seed` */
  bool no_livelocks;          /* unfolding: nobody looks for livelocks */
  const struct plan *plan;    /* constraints: belongs to the caller */
};

/* Bytes for what is known of states. */
size_t states_memory(const struct strategy_options *options);

struct strategy;

/* What a strategy says about the next step. */
enum pick {
  PICK_GIVE_UP, /* there is none: the execution is redundant */
  PICK_STEP,
  PICK_RETURN /* later executions are likely to begin in the state before this step, so it may pay to keep that state */
};

/* Knuth's estimate of the part of a tree that is done: down the present path, one node after the other. Begins with a width of 1. */
struct tree_share {
  double done, width; /* width: of what is below the present choice */
};

/* Of `threads` to be taken at a node, `before` are done; of the present one's `alternatives` (0: not known yet), `choice`. */
static inline void tree_share_descend(struct tree_share *p, uint32_t threads, uint32_t before, uint32_t alternatives, uint32_t choice) {
  double thread = p->width / threads;
  p->width = thread / (alternatives ? alternatives : 1);
  p->done += thread * before + p->width * choice;
}

/* What a strategy counted besides executions, for --stats and JSON. */
struct strategy_counter {
  const char *name; /* static, one word */
  uint64_t number;
  bool is_time; /* the number is of nanoseconds */
};
/* Most counters of a strategy. */
#define STRATEGY_COUNTERS 9

/* One row of the table of strategies. */
struct strategy_type {
  const char *name;
  const char *summary;
  bool exhaustive; /* an ended exploration covers everything but what bounded() and limit() say */
  bool in_parts;   /* its work can be cut into parts (frontier.h), also for another day */
  bool in_common;  /* several workers can explore it together (join(), observe(), news()) */
  bool in_blocks;  /* its executions are drawn in blocks (STRATEGY_BLOCK), which can be made by anybody */
  bool parks;      /* a thread that fails stops alone, if nobody else can tell (machine_park()) */
  bool bounds;     /* it knows a bound on preemptions (strategy_options.bound) */
  bool depends;    /* it knows the option --dependency */
  bool predicts;   /* it predicts unless told otherwise (predict.h) */
  bool asks_reads; /* its own executions are those in which a read returns another value */
  bool commutes;   /* it goes by a specification (machine_options.spec), and needs one */
  bool sees_alone; /* its machine has to show what a thread does after all others were joined (machine_options.see_alone) */
  struct strategy *(*create)(const struct strategy_options *options);
  void (*destroy)(struct strategy *s);
  /* Forget everything: the exploration starts again (more memory turned out to be shared). */
  void (*restart)(struct strategy *s);
  /* The next execution's prefix (owned by the strategy until the next call; may be empty), or NULL when nothing is left. */
  const struct schedule *(*next)(struct strategy *s);
  /* The step to take. Called for the steps behind the prefix. */
  enum pick (*pick)(struct strategy *s, const struct execution *x, struct step *step);
  /* The execution is over. `cut`: its last step ended it for everybody (exit, a failure, a false assumption), so that what other threads
   * would have done is missing. When given up, `end` is EXECUTION_COMPLETE and means nothing. Once the deadline has passed
   * (base/deadline.h), this and next() may return before they are done: nobody uses the strategy any more. */
  void (*done)(struct strategy *s, const struct execution *x, enum execution_end end, bool cut, bool given_up);
  /* True if the strategy has learnt that what it did so far is not enough: restart() must be called; what was learnt is kept. NULL: never.
   */
  bool (*again)(const struct strategy *s);
  /* True if the execution that was just given up must be looked at for data races all the same. NULL: never. */
  bool (*suspects)(const struct strategy *s);
  /* True if something was left out because of a bound of the strategy's own: the verdict is then BOUNDED. */
  bool (*bounded)(const struct strategy *s);
  /* What it left out or cannot answer for, in words, static texts: the i-th, or NULL behind the last. The verdict is then BOUNDED. The
   * function may be NULL. */
  const char *(*limit)(const struct strategy *s, unsigned i);
  /* in_common. Of what is known, all that others can use goes into `commons`, and is looked for there from now on; the exploration begins
   * again. `worker`: a number of its own, from 1; `workers`: how many there are at a time. */
  void (*join)(struct strategy *s, struct commons *commons, uint32_t worker, uint32_t workers);
  /* What the last execution has shown of the program was not all known before: others must see it, or be told by observe(), before more is
   * entered into the commons. */
  bool (*news)(const struct strategy *s);
  /* Between executions: learns what an execution shows that somebody else made. */
  void (*observe)(struct strategy *s, const struct execution *x);
  /* Writes its counters, at most STRATEGY_COUNTERS, and returns how many. May be NULL. */
  unsigned (*counters)(const struct strategy *s, struct strategy_counter *out);
  /* Part of the exploration that is done, from 0 to 1, as far as can be told from the shape of the tree so far (Knuth's estimate);
   * negative: unknown. NULL: never known. */
  double (*progress)(const struct strategy *s);
  /* How several workers explore with it, if its work is a queue of prefixes; else NULL. */
  const struct prefix_type *prefixes;
  /* Why it gives executions up, for the report; NULL: they are redundant. */
  const char *given_up;
};

extern const struct strategy_type strategy_naive, strategy_random, strategy_pct, strategy_icb, strategy_dpor, strategy_unfolding,
    strategy_maximal, strategy_mcr, strategy_mcr_s, strategy_mcr_s_plus, strategy_se_mcr, strategy_ncmc;

/* Only for who has a plan (planned.h). */
extern const struct strategy_type strategy_constraints;

/* Not for users: an exploration that has come to a circle of states goes on with this strategy. */
extern const struct strategy_type strategy_sweep;
/* Of strategy_sweep: the i-th way to states that no schedule within the bound leaves, or NULL behind the last; since these were forgotten.
 */
const struct schedule *sweep_endless(const struct strategy *s, size_t i);
void sweep_forget_endless(struct strategy *s);
/* Of strategy_sweep, when nothing is left to take: goes on where the input that machine_next_input() has found is decided otherwise; the
 * tag is that input's. */
void sweep_go_on(struct strategy *s, uint64_t tag);

/* Of strategy_icb: the preemptions of the execution whose prefix it gave last. */
uint32_t icb_preemptions(const struct strategy *s);

/* All of them, in the order of --help; NULL-terminated. */
extern const struct strategy_type *const strategies[];
const struct strategy_type *strategy_find(const char *name);
