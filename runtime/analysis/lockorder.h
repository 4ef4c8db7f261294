/* Deadlocks that could have been: locks that threads take in orders that make a cycle (Goodlock: Havelund, 2000; Bensalem and Havelund,
 * 2005). Whenever a thread waits for a lock while it holds others, that taking is kept: who, what it wanted, all that it held, and its
 * segment (hard.h). Takings e1 .. en, 2 <= n <= CYCLE, can deadlock if
 *
 *   1. each wants a lock that the next one holds, the last one that which the first one holds, and not both of them shared;
 *   2. they are of different threads;
 *   3. no two of them hold the same lock, but for shared holders of it: one that they share keeps them apart (a gate);
 *   4. no two of their segments are ordered: they can happen at the same time;
 *   5. nobody who asks for a lock there knows, in the weak order (section.h, seen.h), that another one of them has got its lock: what it
 *      has read by then is what it goes by, and the other one is to wait for ever. Not for `hb`, which has no such order, nor where one of
 *      the locks is of the program's own making, since these order all that they ordered in this run.
 *
 * A cycle is reported when the taking that completes it comes, once for each set of wanted locks.
 *
 * Takings are known again by what the conditions look at, not by their places. By the fifth, later takings of the same locks are others:
 * they are kept at the 1st, 2nd, 4th, ... time, AGAIN at most. For each pair of a held and a wanted lock the newest EDGES takings are kept.
 * Pairs of locks that are gone are given up when there are many. */
#pragma once
#include "sync.h"

enum { CYCLE = 6, EDGES = 16, AGAIN = 4 };

/* t is taking the lock, from that place, and would have waited for it for ever. It has it by now, but knows only what it knew before. */
void lockorder_takes_slow(struct thread *t, const struct sync *s, bool shared, uint32_t site);
HOT void lockorder_takes(struct thread *t, const struct sync *s, bool shared, uint32_t site) {
  if (UNLIKELY(t->nheld > 0)) lockorder_takes_slow(t, s, shared, site);
}
void lockorder_before_fork(void);
void lockorder_after_fork(bool child); /* in the child, nothing was taken yet: those who did are not there, or it is behind them */
