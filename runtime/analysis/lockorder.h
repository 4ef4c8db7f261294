/* Deadlocks that could have been: locks that threads take in orders that make a cycle (Goodlock: Havelund, 2000; Bensalem and Havelund,
 * 2005). Whenever a thread waits for a lock while it holds others, that taking is kept: who, what it wanted, all that it held, and its
 * segment (hard.h). Takings e1 .. en, 2 <= n <= CYCLE, can deadlock if
 *
 *   1. each wants a lock that the next one holds, the last one that which the first one holds, and not both of them shared;
 *   2. they are of different threads;
 *   3. no two of them hold the same lock, but for shared holders of it: one that they share keeps them apart (a gate);
 *   4. no two of their segments are ordered: they can happen at the same time.
 *
 * A cycle is reported when the taking that completes it comes, once for each set of wanted locks. What no lock and no fork, join or barrier
 * shows is not known: programs that keep threads apart by flags alone.
 *
 * Takings are known again by what the conditions look at, not by their places. For each pair of a held and a wanted lock the newest EDGES
 * takings are kept. Pairs of locks that are gone are given up when there are many. */
#pragma once
#include "thread.h"

enum { CYCLE = 6, EDGES = 16 };

/* t took the newest of the locks that it holds, and would have waited for it for ever. */
void lockorder_taken_slow(struct thread *t);
HOT void lockorder_taken(struct thread *t) {
  if (UNLIKELY(t->nheld > 1)) lockorder_taken_slow(t);
}
void lockorder_before_fork(void);
void lockorder_after_fork(bool child); /* in the child, nothing was taken yet: those who did are not there, or it is behind them */
