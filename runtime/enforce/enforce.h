/* Carrying out a witness: threads do the events of a recorded run in the order that `heddle` says (src/base/enforce.h), until the finding
 * is there. Code is woven for it (src/weave/recording.h), so that accesses are told before they happen; all else comes through what records
 * (record/record.h), and, where an operation may block or is recorded under a lock, from enforce_before(). */
#pragma once
#include "base/enforce.h"
#include "thread.h"
#include "trace/encoding.h"

extern bool enforcing;
/* What is enforced; mapped. */
extern struct enforce_file *enforced;
/* From now on, as that file says. The process ends if it cannot be read. */
void enforce_start(const char *file);
/* Before the calling thread's operation, which is recorded when it is done: one of `ops`, a bit for each enum trace_op. The thread waits
 * for its turn if that is its next step. `flags`: EVENT_TRY if it does not wait for ever. */
void enforce_before_slow(struct thread *t, uint32_t ops, uintptr_t address, size_t size, unsigned flags, bool atomic);
HOT void enforce_before(struct thread *t, uint32_t ops, uintptr_t address, size_t size, unsigned flags) {
  if (UNLIKELY(enforcing) && t) enforce_before_slow(t, ops, address, size, flags, false);
}
/* The event that would be recorded: a step waits for its turn here, or was begun by enforce_before() and is over. */
void enforce_event(struct thread *t, const struct trace_event *e);
/* A wait for a condition has begun, and its mutex is still held. True if it has ended as the witness says, and `*result` is what it
 * returns; false if it is to be waited for. */
bool enforce_wait(struct thread *t, int (*unlock)(void *mutex), int (*lock)(void *mutex), void *mutex, int *result);
/* The thread has ended; the process is about to. */
void enforce_ended(struct thread *t);
void enforce_exit(struct thread *t);
void enforce_after_fork(void); /* in the child, which does as it likes */
