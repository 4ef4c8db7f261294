/* Maximal causality reduction as published, and what its variants share.
 *
 * Executions form a tree, which is walked depth first: below an execution are those that begin with its prefix and a witness in which one
 * of its later reads returns another value. Only the present path is kept; what is still to be made below its nodes lies on stacks. */
#pragma once
#include "base/hash.h"
#include "strategy/mcr/known.h"
#include "strategy/mcr/needs.h"
#include "strategy/mcr/semantic.h"
#include "strategy/mcr/switch.h"
#include "strategy/mcr/trace.h"
#include "strategy/strategy.h"

/* What may have been left out. */
#define MCR_LIMIT_LIST(X)                                                                                                            \
  X(PUBLISHED, "maximal causality reduction as published leaves out executions (docs/mcr.md); the strategy dpor does not")           \
  X(VALUES, "not all values that a read could return were known")                                                                    \
  X(UNKNOWN, "whether a read could return another value was too hard to say")                                                        \
  X(AWAIT, "a thread waits for ever for a change of several locations: which could come was not looked for")                         \
  X(STRAYED, "an execution did not do what had been predicted of it")                                                                \
  X(ENDED, "the process ended while some of its threads ran: when it does was not varied")                                           \
  X(COMMUTE,                                                                                                                         \
    "of invocations that commute by the specification only one order was looked for, as published: executions are left out even if " \
    "it is right (docs/commutativity.md)")                                                                                           \
  X(DIVIDES, "a formula of the specification divided by zero, which counts as not commuting")                                        \
  X(FAILS, "a function that a formula of the specification calls had no result, which counts as not commuting")                      \
  X(ASYMMETRIC,                                                                                                                      \
    "a formula about two invocations of one method said something else when they changed places, which counts as not "               \
    "commuting")                                                                                                                     \
  X(CIRCLE, "a thread that ran alone came back to where it had been: how others could have come between was not looked for")

enum mcr_limit {
#define X(name, text) MCR_##name,
  MCR_LIMIT_LIST(X)
#undef X
      MCR_LIMITS
};

/* An execution on the present path.
 *
 * A step that ends the execution (a failure, a false assumption) keeps from the trace what other threads would have done. Behind its
 * prefix, such an execution is therefore made again, with the thread that took the step going on last, and questions are asked about that
 * one. */
struct mcr_node {
  uint32_t prefix; /* steps that it began with */
  uint32_t below;  /* its first in `todo` */
};

/* An execution still to be made: the steps behind its parent's prefix, and what their last read is to return. */
struct mcr_child {
  uint32_t steps; /* first in strategy.steps */
  uint32_t later; /* first in strategy.equivalent.later */
  uint32_t thread, index, site;
  uint64_t value;
  bool is_read; /* false: a blocked operation goes on */
};

/* Several processes: what became of an execution (prefix.c). */
struct mcr_job {
  bool given_up, strayed;
  bool is_new;      /* no execution that was known had its results */
  bool is_here;     /* it was made by the process that puts all together, which has counted it */
  uint64_t state;   /* hash of its results */
  uint64_t keys[2]; /* of its prefix: known.h */
};

struct mcr_initial {
  bool known;
  uint64_t value;
};

struct strategy {
  bool switches; /* se-mcr */
  bool commutes; /* ncmc */
  bool loose;    /* mcr-s */
  enum dependency dependency;
  struct causal *causal; /* NULL until the first execution */
  struct mcr_trace trace;
  struct mcr_needs needs;
  struct mcr_semantic semantic;
  const struct causal_needs *present; /* of the present execution; NULL: all */
  struct schedule path;               /* the present execution's prefix */
  struct schedule prefix;             /* the part of it that was executed before; borrows its array */
  struct schedule retry;              /* the steps of an execution that is made again */
  struct tset avoided;                /* threads that are to take their next step last: it ended the execution when they took it earlier */
  bool strayed;                       /* the present execution left its prefix */
  bool others;                        /* threads other than the one that took the last step could have gone on */
  bool again;                         /* the present execution is to be made again, without its last step */
  struct mcr_child wanted;            /* what the prefix is for; thread THREADS_MAX: nothing */
  VEC(struct mcr_node) nodes;
  VEC(struct mcr_child) todo;
  struct schedule steps;
  struct mcr_sites step_sites, path_sites; /* parallel to `steps` and `path` */
  uint32_t detours;                        /* steps that the present execution took to come to those of its path */
  VEC(uint64_t) values;
  const struct execution *x; /* while questions are asked about it */
  struct hashmap known;      /* (address, size) -> index into `initial` */
  VEC(struct mcr_initial) initial;
  struct hashmap states; /* of executions: see mcr_trace_state() */
  struct mcr_known known_prefixes;
  VEC(const char *) unmodelled;
  uint32_t limits; /* 1 << enum mcr_limit */
  struct mcr_switch equivalent;
  bool started;
  uint64_t reads, questions, answered, switched, redundant, kept, pairs, nanoseconds;
  uint64_t scoped, pruned; /* ncmc: of `reads`, those inside of invocations; questions about them that were not asked */
  uint64_t decided;        /* nanoseconds of the order engine before the exploration began (again) */
  uint64_t elsewhere;      /* and those of other processes since */
  struct mcr_job job;
};

extern const struct prefix_type mcr_prefixes;

/* Back to the beginning: nothing is to be made. What is known stays. */
void mcr_leave_path(struct strategy *s);
void mcr_add_unmodelled(struct strategy *s, const char *what);
/* Nanoseconds in the order engine; mcr_count_from_here(): since now. */
uint64_t mcr_deciding(const struct strategy *s);
void mcr_count_from_here(struct strategy *s);
