/* Happens-before edges of the thread library, and its uses of objects. */
#pragma once
#include "trace/event.h"

/* What an operation of the thread library hands over: all that was released to an object happens before its next acquire.
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

/* The objects that an operation of the thread library uses. A use is an atomic read of the object's first bytes: uses do not race with one
 * another, but with the object's initialisation and its end, which are plain. A thread that leaves a barrier, or a condition variable, does
 * not use it any more: others may have destroyed it by then. */
struct sync_use {
  unsigned count;
  uint64_t objects[2];
};

enum { SYNC_USE_SIZE = 4 }; /* of a spin lock, the smallest object */

static inline struct sync_use sync_use(const struct event *e) {
  const uint64_t uses = 1ull << EVENT_ACQUIRE | 1ull << EVENT_RELEASE | 1ull << EVENT_TRYFAIL | 1ull << EVENT_WAIT_ENTER |
                        1ull << EVENT_SIGNAL | 1ull << EVENT_BROADCAST | 1ull << EVENT_BARRIER_ENTER | 1ull << EVENT_SEM_POST |
                        1ull << EVENT_SEM_WAIT;
  struct sync_use x = {0};
  bool waits = e->op == EVENT_WAIT_ENTER || (e->op == EVENT_WAIT_LEAVE && !(e->flags & EVENT_TIMED_OUT));
  if (uses >> e->op & 1) x.objects[x.count++] = e->object;
  if (waits && e->value2) x.objects[x.count++] = e->value2; /* the mutex */
  return x;
}

/* The bytes of the use in the granule that it begins in: an object is aligned to its first field. */
static inline uint8_t sync_use_mask(uint64_t object) { return (uint8_t)(((1u << SYNC_USE_SIZE) - 1) << (object & 7)); }
