/* Sets of locks that threads hold, as numbers that fit beside an epoch (locked.c). An epoch of a thread is within a section of a lock or
 * outside of it as a whole (section.h), so one number says it of all locks.
 *
 *   0:1 shared:1 index:20    one lock
 *   1:1 id:21                several, or one of a high index; all ones: there are too many sets to tell
 *
 * Locks are told apart by their indices, which others have again when they are gone. So there are no more sets than locks, and what is held
 * under them, at a time. Equal sets that were taken in different orders are different. */
#pragma once
#include "thread.h"

enum { LOCKSET_BITS = 22, LOCKSET_LOCK_BITS = 20, LOCKSET_MANY = 1 << (LOCKSET_BITS - 1) };
_Static_assert(LOCKSET_MANY == 1 << (LOCKSET_LOCK_BITS + 1), "one lock and whether it is shared");
#define LOCKSET_UNKNOWN ((1u << LOCKSET_BITS) - 1)
#ifndef LOCKSETS_MAX /* a test asks for less */
#define LOCKSETS_MAX (1u << 20)
#endif

void locksets_start(void);
uint32_t lockset_slow(struct thread *t);
/* Of the locks that t holds. An action that it is in (action.h) counts as one. */
HOT uint32_t lockset_now(struct thread *t) {
  return LIKELY(t->lockset && t->lockset_inside == (t->inside > 0)) ? t->lockset : lockset_slow(t);
}

/* How a set of locks that somebody held is related to those that t holds now. */
const struct lockset_relation *lockset_relation_slow(struct thread *t, uint32_t set, uint32_t now);
HOT const struct lockset_relation *lockset_relation(struct thread *t, uint32_t set, uint32_t now) {
  const struct lockset_relation *r = &t->relations[(set ^ now * 5) % LOCKSET_RELATIONS];
  return LIKELY(r->set == set && r->now == now) ? r : lockset_relation_slow(t, set, now);
}
/* True if both are of one lock, and not the same. */
HOT bool lockset_differs(uint32_t a, uint32_t b) { return !((a | b) & LOCKSET_MANY) && (a ^ b) > 1; }
/* The same locks, each alone: how many, in at[]. If one of them is no set by itself, or it was within an action: the whole set. */
unsigned lockset_split(uint32_t set, uint32_t at[HELD + 1]);
HOT uint32_t lockset_of_one(const struct held *h) { return h->index << 1 | h->shared; } /* if its index is not too high */
HOT bool lockset_shared(uint32_t one) { return one & 1; }
void locksets_before_fork(void);
void locksets_after_fork(void);
