/* The part of an execution's past that findings depend on, besides the state that it led to:
 *   - where each held lock was acquired, and by whom;
 *   - which signal of each condition variable was lost last;
 *   - what threads know of earlier accesses that can race (knowledge.h).
 *
 * Which accesses can race is learnt. None to a granule of 8 bytes does as long as all of the exploration's accesses to it hold one lock in
 * common, or are by one thread, or only read, or are atomic. When that ends for a granule, it is suspect from then on. What was explored
 * before may have been cut short wrongly, so the exploration must start again. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"
#include "happens/knowledge.h"
#include "trace/event.h"
#include "trace/tset.h"

struct past_fact {
  uint64_t key, value;
};

struct past_step {
  struct fingerprint facts; /* before the step */
  size_t changes;
  uint64_t held; /* of the step's thread, before */
  uint32_t thread;
};

struct past_granule {
  uint64_t locks; /* held at all accesses */
  uint16_t thread;
  uint8_t seen;
};

/* Zeroed is ready for use. */
struct past {
  bool no_races; /* nobody looks for them */
  /* Of the present execution, a stack by steps. */
  VEC(struct past_step) steps;
  VEC(struct past_fact) changes; /* with the values before */
  struct hashmap facts;
  struct fingerprint now;     /* of all facts */
  uint64_t held[THREADS_MAX]; /* locks by thread, a bit each */
  /* Of the exploration. */
  struct hashmap lock_bits, granules;
  VEC(struct past_granule) known;
  struct hashmap suspects;
  uint32_t nlocks;
  uint64_t unlike; /* states so far whose past does not fit a key: each gets a number of its own, so it equals no other */
  bool grown;      /* there are new suspects, or threads get numbers again; cleared by the owner */
  bool news;       /* something was learnt of the exploration; cleared by the owner */
  struct knowledge knowledge;
};

/* Appends a step with its events, trace[from, to). */
void past_push(struct past *p, uint32_t thread, const struct event *trace, uint32_t from, uint32_t to);
/* The thread, which the last step pushed is of, does nothing any more. */
void past_stop(struct past *p, uint32_t thread);
/* Removes steps from the end until `n` are left. */
void past_pop(struct past *p, uint32_t n);
/* Fingerprint of what matters behind the last step pushed. */
struct fingerprint past_fingerprint(struct past *p, const struct tset *alive);
/* Forgets the execution, and keeps what was learnt. */
void past_clear(struct past *p);
void past_release(struct past *p);
