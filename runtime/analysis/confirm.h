/* A repeated run of the program, in which one prediction is tried (base/confirm.h). Nothing is analysed then but locks, for deadlocks: all
 * threads ignore their accesses (thread.h), so no cell is ever written, no check in the code has an answer, and each access comes here
 * instead. Of most of them one look at a table says that they are nobody's business.
 *
 * A thread that comes to where the plan wants it is held until another one has done what is to come first, or the time is over:
 *
 *   RACE    held at its access, until another thread is about to make its own of the same bytes: nothing orders the two
 *   END     held at its use, until another thread ends the same memory; if a lock excludes the two, it is held before that lock. Blocks
 * that are freed are kept from being used anew, so whoever uses one of them later uses what is gone LOST    held before its wait, or before
 * the lock; the notification is one of the same condition CYCLE   each thread is held before it asks for its lock, until all are there;
 * deadlock.c says whether they deadlock
 *
 * One thread is held at a time (in cycles: one for each place), HOLDS times in a run. Which visits of the place are tried differs between
 * attempts: the first ones, ever more seldom; then those at which an earlier run has seen the second event come upon the same memory later,
 * for which a run that holds nobody may be needed; else the other access is held, or the thread is held before its outermost lock. As soon
 * as it is confirmed, the process ends. */
#pragma once
#include "thread.h"

/* This is such a run. */
extern bool confirming;
void confirm_start(void);
/* Libraries may have come since. */
void confirm_again(void);
void confirm_after_fork(void); /* in the child */

/* t is about to do that, or has just done it: notifications. */
void confirm_event_slow(struct thread *t, uintptr_t address, size_t size, enum site_kind kind, uintptr_t pc);
HOT void confirm_event(struct thread *t, const volatile void *object, enum site_kind kind, uintptr_t pc) {
  if (UNLIKELY(confirming) && t) confirm_event_slow(t, (uintptr_t)object, 1, kind, pc);
}
/* True if t is to be held before it takes the lock there. */
bool confirm_holds(struct thread *t, uintptr_t pc);
/* t's wait is over. */
void confirm_wait_over(const struct thread *t);
/* True if the block must stay: a thread that was held is to find it as it is. */
bool confirm_keeps(uintptr_t address);
/* What was ended there has begun anew. */
void confirm_renewed(uintptr_t address, size_t size);
/* A deadlock has happened. */
struct cycle;
void confirm_deadlock(const struct cycle *c);
