/* Order violations: two actions that do not commute, of which the later one in this run may come first in another (OVPredict, section
 * 3.3.2). A use of memory, of a lock or the like and its end; a wait for a condition and the notification that would come too early.
 *
 * If no lock excludes the two, they are reported when the second one is seen (racy violations). If a lock does, their critical sections may
 * still change places as a whole, unless something else in them says that they cannot: that is decided at the end of the second section
 * (non-racy violations; section 3.4.1, candidates). The pair itself orders nothing. */
#pragma once
#include "analysis/race.h"
#include "analysis/section.h"

/* t ends the life of these bytes of the word, at that place: a free() or a close(). */
void violation_of_end(struct thread *t, uintptr_t address, unsigned mask, uint32_t site);

/* The same for two actions, of which t's ends what the other one uses, or that do not commute, with the locks that both were made under. */
void violation_of_actions(struct thread *t, const struct race *r, const uint64_t locks[HELD], unsigned n);

/* t begins to wait without a time limit, with that mutex; c->lock is held. */
void violation_wait(struct thread *t, struct sync *c, const struct sync *mutex, uint32_t site);
/* t notifies; c->lock is held. */
void violation_notify(struct thread *t, struct sync *c, uint32_t site);
void waiters_free(struct waiters *w);
void candidates_free(struct thread *t);

void violations_before_fork(void);
void violations_after_fork(void);

/* Reports what only the end of the process decides: t is the last thread. */
void violations_finish(struct thread *t);

/* The same, decided already: it is told as soon as no lock of the runtime is held. */
void violation_found(struct thread *t, const struct race *r);

/* The section of the lock with that id ends: t's clock is final. */
void violations_decide(struct thread *t, uint64_t lock);
/* Reports what was found; no lock of the runtime may be held. */
void violations_report_slow(struct thread *t);
HOT void violations_report(struct thread *t) {
  if (UNLIKELY(t->ncandidates > 0 || t->waited.lock)) violations_report_slow(t);
}
