/* Atomicity violations of an executed trace: two accesses of one thread in one section of a lock, and between the two, in the trace's
 * order, one of another thread, so that no serial order explains what the three read and leave there (Lu, Tucek, Qin, Zhou: "AVIO:
 * detecting atomicity violations via access interleaving invariants", ASPLOS 2006).
 *
 * Of three places one triple is told. A section of which a wait lets others in is two. Of sections that are long, an access is compared
 * with the 4,096 accesses of the same memory before it. */
#pragma once
#include "base/hash.h"
#include "base/vec.h"
#include "trace/event.h"

/* Indices into the trace, in this order. */
struct atomicity_triple {
  uint32_t first, between, last;
};

struct atomicity_access {
  uint32_t event, before; /* the access before it of the same granule */
};

/* Zeroed is ready for use. */
struct atomicity {
  VEC(struct atomicity_triple) found;
  VEC(struct atomicity_access) accesses;
  VEC(uint32_t) between;           /* of the access that is looked at */
  struct hashmap granules, places; /* the last access; triples that were found */
  struct atomicity_locks {
    VEC(struct atomicity_lock) held;
  } threads[THREADS_MAX];
};

struct atomicity_lock {
  uint64_t address;
  uint32_t since; /* the event that took it */
};

void atomicity_find(struct atomicity *a, const struct event *trace, uint32_t n);
void atomicity_release(struct atomicity *a);
