/* Locks: who holds them, and their sections so far.
 *
 * Of each lock, the ended sections of each thread are kept with what the thread knew at their ends. When there are SECTIONS_MAX of them,
 * the older ones are joined in pairs, which count as one section that began with the first and ended with the second: more is ordered
 * behind it than must be. So what is kept of the whole run gets coarser with its age, and is never more than that.
 *
 * A lock set is a number: two threads with the same locks have the same one. */
#pragma once
#include "base/hash.h"
#include "base/vec.h"
#include "streaming/clock.h"

enum { LOCKSET_UNKNOWN = UINT32_MAX };
#ifndef SECTIONS_MAX
#define SECTIONS_MAX 256
#endif

struct held {
  uint32_t lock, section; /* section: its number among those of this thread and lock */
  uint32_t begin;         /* time */
  uint32_t by;            /* place of the thread's past in the lock's */
  uint64_t at;            /* position of its begin in the run */
  bool shared;
};

/* One that has ended. */
struct section {
  struct clock *clock; /* what its thread knew of others at the end */
  uint32_t begin, end; /* times */
  uint32_t number;
  bool shared;
  uint64_t at;
};

/* The sections of one thread and lock. */
struct past {
  uint32_t thread, begun;
  VEC(struct section) sections; /* in their order */
};

struct lock {
  VEC(struct past) by;
  struct known told[3];     /* what was known at releases, of the layers that need it */
  struct clock *readers[3]; /* the same, at releases of readers */
  struct known taken[3];    /* what was known by who took the lock last, or by all readers */
};

struct locks {
  struct hashmap places; /* of addresses in `all` */
  VEC(struct lock) all;
  struct hashmap sets;    /* of contents, by hash, in `members` */
  VEC(uint64_t) members;  /* lock * 2 + shared, for each: a count in front */
  VEC(uint64_t) sorted;   /* to work with */
  uint64_t coarse, begun; /* begun: sections so far */
};

void locks_release(struct locks *l, struct clocks *clocks);
/* The lock at an address: its place in `all`. */
uint32_t lock_at(struct locks *l, uint64_t address);

struct sync;
/* Thread t takes the lock, or gives it back. `layer`: whose clock a section's end keeps. False: t does not hold the lock. */
void section_begin(struct sync *s, uint32_t t, uint32_t lock, bool shared);
bool section_end(struct sync *s, uint32_t t, uint32_t lock, unsigned layer);

/* The section of that number, or the one that it has become a part of; NULL: it has not ended. */
const struct section *section_of(const struct past *p, uint32_t number);
/* The last section that had begun at that time, or NULL. */
const struct section *section_begun(const struct past *p, uint32_t time);
const struct past *past_of(const struct lock *l, uint32_t thread);

struct thread;
const struct held *held_find(const struct thread *t, uint32_t lock);

/* The lock set of what t holds. */
uint32_t lockset_of(struct sync *s, uint32_t t);
/* Is the one set part of the other? */
bool lockset_within(const struct locks *l, uint32_t small, uint32_t large);
/* Does t hold a lock of that set, not both shared? The first one, or UINT32_MAX; `from`: place in t's held locks to begin with. */
uint32_t lockset_common(const struct locks *l, uint32_t set, const struct thread *t, uint32_t *from);
