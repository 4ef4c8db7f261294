/* Events of properties in an execution of the machine, as the causal model takes them.
 *
 * In the machine such an event reads and writes a word that the program cannot see (machine/library/property.c), so that all orders of them
 * are explored. To the model they would depend on each other by the values of that word. So here they become steps without effect: their
 * threads order them, and nothing else does. What happened while there was one thread is in no trace: it is put in behind the thread's last
 * step, or, before the first step, is of the past. */
#pragma once
#include "base/vec.h"
#include "predict/pattern.h"
#include "strategy/mcr/trace.h"

struct machine;

/* Zeroed is ready for use. */
struct moments {
  VEC(struct pattern_point)
  all;                              /* by property, then in the order of the execution. `event`, `next`: positions in the trace; UINT32_MAX:
                                       before it */
  VEC(uint32_t) ends;               /* of each property */
  VEC(struct pattern_point) points; /* moments_of() */
  bool unclear;                     /* it is not known where in the trace they belong: there are none */
  bool last;                        /* one is behind all that is in the machine's trace, when there was one thread */
  /* used meanwhile */
  VEC(struct event) events;
  VEC(uint32_t) steps, moved, places, next;
};

/* Those of the machine's last execution, `t` being its trace, which they are put into. */
void moments_take(struct moments *x, struct mcr_trace *t, const struct machine *m);
/* How many there are of that property before the event `to`. */
uint32_t moments_count(const struct moments *x, uint32_t property, uint32_t to);
/* Sets `points` to these; those before `from` are of the past. */
void moments_of(struct moments *x, uint32_t property, uint32_t from, uint32_t to);
void moments_release(struct moments *x);
