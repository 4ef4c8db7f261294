/* Every witness of a small trace behind its prefix, by brute force: all states that the reference's machine can reach by steps of the
 * trace whose results stay as they were. What a step could return in one of those states is what a witness can make it return
 * (docs/model.md, dependency `all`). */
#pragma once
#include "witness_sim.h"

#define REFERENCE_RESULTS 128u
#define REFERENCE_CYCLES  64u

struct reference {
  bool complete; /* false: too many states, or results */
  bool overflow;
  uint32_t states;
  uint32_t results[SIM_TRACE + SIM_THREADS];                     /* of each event: how many ... */
  uint64_t result[SIM_TRACE + SIM_THREADS][REFERENCE_RESULTS];   /* ... and which */
  uint32_t shortest[SIM_TRACE + SIM_THREADS][REFERENCE_RESULTS]; /* fewest events of a witness, with the event itself */
  bool race[SIM_TRACE][SIM_TRACE];                               /* both can be next */
  bool freed[SIM_TRACE][SIM_TRACE];                              /* [free][use]: the free can have happened when the use is next */
  uint32_t cycles;
  uint32_t cycle[REFERENCE_CYCLES][SIM_THREADS]; /* acquires, by their thread; UINT32_MAX: the thread takes no part */
};

void reference_find(struct reference *r, const struct sim *x);
/* Can the read `event` return `value` in an execution that has at least `least` events of each other thread, before or behind it, with the
 * results that they had? Its own thread goes no further. */
bool reference_kept(const struct sim *x, uint32_t event, uint64_t value, const uint32_t least[SIM_THREADS]);
bool reference_can(const struct reference *r, uint32_t event, uint64_t result);
void reference_release(void);
