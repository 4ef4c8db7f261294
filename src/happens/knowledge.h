/* Knowledge: which earlier accesses happen before all that a thread does from now on, as race.h defines happens-before. It is kept along
 * the present execution as a stack.
 *
 * Explorations that give executions up at known states need it. If thread 1 wrote x and thread 2 reads it later, that is a race or not,
 * depending on whether thread 2 has taken a lock since that thread 1 gave back: the states may be equal, their futures are not.
 *
 * Each access to a granule that may race has a bit, as long as no later one of at least its weight covers it. A row of bits says which
 * accesses are ordered before all that a thread does from now on, or that takes place behind a release of a lock, a location, a
 * semaphore... Rows are joined as race.c joins clocks.
 *
 * A store that is buffered (TSO, PSO) has its bits from its issue on, as its thread's later releases hand them over, and rows of what was
 * known then and what it will release. It meets other accesses, covers them, and releases when it is flushed. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"
#include "happens/racers.h"
#include "trace/event.h"
#include "trace/tset.h"

#define KNOWLEDGE_WORDS 4u
#define KNOWLEDGE_BITS  (64u * KNOWLEDGE_WORDS)

struct known {
  uint64_t words[KNOWLEDGE_WORDS];
};

/* A store in a buffer: its WRITE's index among its thread's events. */
struct known_store {
  uint32_t thread, event;
};

/* An atomic location, which a row is about: see locations of race.c. */
struct known_location {
  uint32_t next; /* row of the granule's next location, + 1; 0: none */
  uint8_t mask;  /* its bytes of the granule */
};

/* A value before it was changed. */
struct known_change {
  uint32_t row; /* or what else it was: see knowledge.c */
  uint32_t bit; /* of an access; position of a store; of a row: its location's mask */
  union {
    struct known known;
    struct known_access access;
    struct known_store store;
  };
};

/* Zeroed is ready for use. */
struct knowledge {
  struct hashmap row_ids;    /* kept for the whole exploration */
  uint32_t own[THREADS_MAX]; /* row of each thread, + 1; 0: it has none */
  VEC(struct known) rows;
  VEC(uint64_t) row_keys;
  VEC(struct known_location) locations; /* one for each row, whatever it is about */
  struct known_access accesses[KNOWLEDGE_BITS];
  struct known used;
  VEC(struct known_store) stores; /* in the order of their issue */
  VEC(struct known_change) changes;
  VEC(size_t) steps;                   /* changes before each step */
  uint32_t lost;                       /* the step in which bits ran out, + 1; 0: none */
  struct tset ended;                   /* threads */
  bool again;                          /* their numbers are given to other threads: past.c */
  struct racers racers;                /* kept for the whole exploration */
  struct tset against[KNOWLEDGE_BITS]; /* by access: see racers_against(); as of ... */
  uint64_t against_of[KNOWLEDGE_BITS]; /* ... this access and version */
  bool agents;                         /* there were buffered stores: live threads from AGENTS_FROM on are agents */
  bool raced;                          /* a step pushed since the owner cleared it made a race that was not seen before */
};

/* Appends a step: the events of trace[from, to). `granules`: those that may race (addresses / 8). */
void knowledge_push(struct knowledge *k, const struct event *trace, uint32_t from, uint32_t to, const struct hashmap *granules);
/* The thread, which the last step pushed is of, does nothing any more. */
void knowledge_stop(struct knowledge *k, uint32_t thread);
/* Removes steps from the end until `n` are left. */
void knowledge_pop(struct knowledge *k, uint32_t n);
/* Fingerprint of what matters to these live threads: of accesses with which a race can still be that was not seen yet. False: it is not
 * known: the state is then to be taken for different from all others. */
bool knowledge_fingerprint(struct knowledge *k, const struct tset *alive, struct fingerprint *f);
void knowledge_release(struct knowledge *k);
