/* The locks that threads hold, and held at an earlier access, for reports: of each slot the last critical sections are kept.
 *
 * An epoch begins when a lock is given back. So within an epoch a thread only takes locks: at an access it held those of the epoch's
 * beginning, and as many of those that it took since as the access's place says (SITE_HELD, context.h). */
#pragma once
#include "report/finding.h"
#include "sync.h"

/* t takes s, or is about to give it back. A lock that is taken several times is held once, until it is given as often; the callers count.
 */
void held_add(struct thread *t, const struct sync *s, bool shared, uint32_t site);
void held_remove(struct thread *t, const struct sync *s);
/* The slot is not t's any more: it ends, or goes on in another one, where held_moved() is called. */
void held_leave(struct thread *t);
void held_moved(struct thread *t);

/* The object that was locked; NULL if it is gone. */
const struct sync *held_object(const struct held *h);
/* The same, also NULL if another thread has given it back. */
const struct sync *held_sync(const struct thread *t, const struct held *h);
/* Locks for reports: at most n of them go to `locks`. Those that t, the calling thread, holds: */
struct finding_locks held_now(const struct thread *t, struct finding_lock *locks, unsigned n);
/* and those that were held when that access was made. */
struct finding_locks held_then(epoch e, uint32_t site, struct finding_lock *locks, unsigned n);
/* The sections that the access was made in: one goes on, or the last clock of the last one. t: who has the slot now, or NULL; it does not
 * end meanwhile. */
enum held_sections { HELD_NONE, HELD_THEN, HELD_STILL, HELD_UNKNOWN };
enum held_sections held_sections(const struct thread *t, epoch e, uint32_t site, uint32_t *until);
/* The lock that was given back when that epoch ended. False if it was none, or is not known any more. */
bool held_given(epoch e, struct finding_lock *lock);
