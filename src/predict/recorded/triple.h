/* Candidates for atomicity violations: two accesses of one thread in one region (a section of a lock, a call that is meant to be atomic),
 * and one of another thread that, between them, has no serial order of the two threads explain what is read and left there. */
#pragma once
#include "predict/recorded/model.h"

struct triple {
  uint32_t first, between, last; /* places */
};

struct triple_access {
  uint32_t place, next;    /* of its granule */
  uint64_t exclusive, any; /* locks that its thread holds: so that nobody else can; in any way */
};

/* Locks that a thread holds, by their bits, and where it took them. */
struct triple_thread {
  uint64_t exclusive, any;
  uint32_t since[64];
};

/* Zeroed is ready for use. */
struct triples {
  VEC(struct triple) found;
  uint64_t left_out; /* accesses that were too many */
  struct hashmap granules, locks;
  VEC(struct triple_access) accesses;
  struct triple_thread threads[THREADS_MAX];
};

void triples_find(struct triples *t, const struct recorded_model *m);
void triples_release(struct triples *t);
