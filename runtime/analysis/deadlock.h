/* Deadlocks that happen: threads that wait for each other's locks for ever.
 *
 * A thread that holds locks and is about to wait for another, for as long as it takes, says so first. What it holds cannot change until it
 * has taken that back. So if, under the watch's lock, each thread of a cycle says that it waits for a lock that the next one holds, none of
 * them will ever go on: the one that closes the cycle reports it and then waits like the others. A thread that holds nothing cannot be in a
 * cycle and need not say anything.
 *
 * Not seen: threads that wait for a condition, a message, or another thread's end; shared requests that wait behind exclusive ones. */
#pragma once
#include "sync.h"

/* t waits for that lock from now on, and did ask for it at `site`. holder: see struct waits. */
void deadlock_waits(struct thread *t, const struct sync *s, bool shared, const int *holder, uint32_t site);
/* It has it, or will not get it. */
void deadlock_over(struct thread *t);
/* A handler of a signal runs meanwhile: it may do anything. Returns what deadlock_resume() needs. */
struct waits deadlock_pause(struct thread *t);
void deadlock_resume(struct thread *t, const struct waits *w);
void deadlock_before_fork(void);
void deadlock_after_fork(bool child);
