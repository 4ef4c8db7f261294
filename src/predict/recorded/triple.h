/* Candidates for atomicity violations: two accesses of one thread in one region (a section of a lock, a call that is meant to be atomic),
 * and one of another thread that, between them, has no serial order of the two threads explain what is read and left there. */
#pragma once
#include "predict/recorded/model.h"

/* Largest accesses that are looked at. */
#define TRIPLE_SIZE 64u

struct triple {
  uint32_t first, between, last; /* places */
};

struct triple_access {
  uint32_t place, next;    /* of its thread and granule: the one before it */
  uint64_t exclusive, any; /* locks that its thread holds: so that nobody else can; in any way */
};

/* Accesses of a granule that are alike: of one thread, at one site, of the same bytes, under the same locks. */
struct triple_set {
  uint32_t first, last, next; /* of `members`; the granule's next set */
  struct triple_access like;
};
struct triple_member {
  uint32_t place, next;
};

/* Locks that a thread holds, by their bits, and where it took them. */
struct triple_thread {
  uint64_t exclusive, any;
  uint32_t since[64];
};

/* Zeroed is ready for use. */
struct triples {
  VEC(struct triple) found;
  uint64_t left_out;                   /* triples of alike accesses that were too many */
  struct hashmap granules, own, locks; /* a granule's sets; the accesses so far of it and a thread */
  VEC(struct triple_access) accesses;
  VEC(struct triple_set) sets;
  VEC(struct triple_member) members;
  struct triple_thread threads[THREADS_MAX];
};

void triples_find(struct triples *t, const struct recorded_model *m);
void triples_release(struct triples *t);
