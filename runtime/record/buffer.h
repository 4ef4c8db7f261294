/* A thread's buffer. */
#pragma once
#include "record/record.h"

/* Around encoding. False if the thread is at it already (its own code failed within), or has no buffer. Signals that come meanwhile are
 * deferred (record_is_busy()). */
HOT bool buffer_enter(struct recorder *r) {
  if (UNLIKELY(!r->ready)) return false;
  r->ready = false;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return true;
}
/* One record more, or a time, ends at `end`. */
HOT void buffer_add(struct recorder *r, unsigned char *end) {
  r->at = end;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&r->slot->used, (uint64_t)(end - (unsigned char *)(r->slot + 1)), __ATOMIC_RELAXED);
}
HOT bool buffer_is_full(const struct recorder *r) { return r->at >= r->limit; }
HOT void buffer_leave(struct recorder *r) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  r->ready = true;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
/* The buffer is written, and begun anew. Between enter and leave. */
void buffer_flush(struct recorder *r);
void buffer_time(struct recorder *r);
/* The calling thread gets a buffer, if it can; false if not. It gives it back. */
bool buffer_open(struct thread *t);
void buffer_close(struct recorder *r);
