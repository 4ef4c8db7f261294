/* A quick look at a trace: can it have a data race at all?
 *
 * The lock sets of Eraser (Savage, Burrows, Nelson, Sobalvarro, Anderson: "Eraser: a dynamic data race detector for multithreaded
 * programs", TOCS 1997), asked the sound way round: where all accesses of a granule of 8 bytes hold one lock in common, that lock orders
 * them, so that the vector clocks of race.h need not be computed. Granules that one thread touches, that nobody writes, or that are
 * touched by atomic accesses alone cannot race either. Most executions of most programs end here. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "trace/event.h"

/* Traces that are remembered. */
#define LOCKSETS_KNOWN 256u

struct lockset_slot {
  uint64_t key;   /* granule, or address of a lock */
  uint64_t locks; /* of a granule: held at all accesses; of a lock: its bit, 0 if there are too many */
  uint32_t stamp; /* of the trace that it belongs to */
  uint16_t thread;
  uint8_t seen; /* of a granule: enum lockset_seen */
};

/* Zeroed is ready for use. */
struct locksets {
  struct lockset_slot *slots;
  uint32_t cap, used, stamp, nlocks;
  uint32_t top;                                     /* largest thread of the last trace that held[] knows */
  uint64_t held[THREADS_MAX];                       /* exclusive locks by thread, a bit each */
  struct fingerprint free_of_races[LOCKSETS_KNOWN]; /* by their digests; 0: none */
  uint32_t in_vain, left_out;                       /* answers in a row that were "maybe"; traces since then that were not looked at */
};

/* False: the trace has no data race. */
bool locksets_may_race(struct locksets *l, const struct event *trace, uint32_t n);
void locksets_release(struct locksets *l);
