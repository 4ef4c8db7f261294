/* Happens-before edges of the thread library. */
#pragma once
#include "trace/event.h"

/* What an operation of the thread library hands over (model.md 2): all that was released to an object happens before its next acquire.
 * Fork, join, fences and atomic accesses are not here. */
struct sync_edge {
  enum { SYNC_EDGE_NONE, SYNC_EDGE_ACQUIRE, SYNC_EDGE_RELEASE } kind;
  bool shared; /* by a reader: not ordered with other readers */
  unsigned count;
  uint64_t objects[2];
};

static inline struct sync_edge sync_edge(const struct event *e) {
  const uint64_t acquires = 1ull << EVENT_ACQUIRE | 1ull << EVENT_WAIT_LEAVE | 1ull << EVENT_SEM_WAIT | 1ull << EVENT_BARRIER_LEAVE;
  const uint64_t releases = 1ull << EVENT_RELEASE | 1ull << EVENT_WAIT_ENTER | 1ull << EVENT_SIGNAL | 1ull << EVENT_BROADCAST |
                            1ull << EVENT_SEM_POST | 1ull << EVENT_BARRIER_ENTER;
  struct sync_edge x = {.shared = e->flags & EVENT_SHARED_LOCK, .count = 1, .objects = {e->object}};
  if (acquires >> e->op & 1)
    x.kind = SYNC_EDGE_ACQUIRE;
  else if (releases >> e->op & 1)
    x.kind = SYNC_EDGE_RELEASE;
  if (e->op == EVENT_WAIT_ENTER) x.objects[0] = e->value2; /* the mutex */
  if (e->op == EVENT_WAIT_LEAVE) {
    if (e->flags & EVENT_TIMED_OUT) x.kind = SYNC_EDGE_NONE; /* the mutex is acquired later */
    x.objects[1] = e->value2, x.count = 2;
  }
  /* Each round of a barrier is an object of its own: threads of the next one may arrive before all have left. */
  if (e->op == EVENT_BARRIER_ENTER || e->op == EVENT_BARRIER_LEAVE) x.objects[0] = e->object << 16 | (e->value & 0xffff);
  return x;
}
