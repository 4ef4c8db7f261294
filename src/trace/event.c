#include "trace/event.h"

const char *event_op_text(enum event_op op) {
  static const char *const texts[] = {
#define X(name, text) text,
      EVENT_LIST(X)
#undef X
  };
  return texts[op];
}

static bool is_access(uint8_t op) {
  return op == EVENT_READ || op == EVENT_WRITE || op == EVENT_RMW || op == EVENT_FREE || op == EVENT_AWAIT;
}

static bool is_reading(uint8_t op) { return op == EVENT_READ || op == EVENT_AWAIT; }

static bool overlap(const struct event *a, const struct event *b) {
  return a->object < b->object + b->size && b->object < a->object + a->size;
}

/* Locks, condition variables, semaphores and barriers: an operation names its object and, for waits, the mutex in value2. */
static bool same_sync_object(const struct event *a, const struct event *b) {
  bool wait_a = a->op == EVENT_WAIT_ENTER || a->op == EVENT_WAIT_LEAVE, wait_b = b->op == EVENT_WAIT_ENTER || b->op == EVENT_WAIT_LEAVE;
  return a->object == b->object || (wait_a && a->value2 == b->object) || (wait_b && b->value2 == a->object) ||
         (wait_a && wait_b && a->value2 == b->value2);
}

static bool is_lock_read(const struct event *e) {
  return e->op == EVENT_TRYFAIL || ((e->op == EVENT_ACQUIRE || e->op == EVENT_RELEASE) && (e->flags & EVENT_SHARED_LOCK));
}

static bool concerns_thread(const struct event *e, uint32_t thread) {
  return (e->op == EVENT_FORK || e->op == EVENT_JOIN) && e->object == thread;
}

bool event_dependent(const struct event *a, const struct event *b) {
  if (a->thread == b->thread || a->op == EVENT_ATOMIC || b->op == EVENT_ATOMIC) return true;
  if (concerns_thread(a, b->thread)) return a->op == EVENT_FORK || b->op == EVENT_END;
  if (concerns_thread(b, a->thread)) return b->op == EVENT_FORK || a->op == EVENT_END;
  bool access_a = is_access(a->op), access_b = is_access(b->op);
  if (access_a && access_b) return !(is_reading(a->op) && is_reading(b->op)) && overlap(a, b);
  switch ((enum event_op)a->op) {
    case EVENT_FREE: /* destroying a synchronisation object conflicts with using it */
      return b->object >= a->object && b->object < a->object + a->size;
    case EVENT_ACQUIRE:
    case EVENT_RELEASE:
    case EVENT_TRYFAIL:
    case EVENT_WAIT_ENTER:
    case EVENT_WAIT_LEAVE:
    case EVENT_SIGNAL:
    case EVENT_BROADCAST:
    case EVENT_BARRIER_ENTER:
    case EVENT_BARRIER_LEAVE:
    case EVENT_SEM_POST:
    case EVENT_SEM_WAIT:
      if (b->op == EVENT_FREE) return a->object >= b->object && a->object < b->object + b->size;
      if (access_b || b->op < EVENT_ACQUIRE || b->op > EVENT_SEM_WAIT) return false;
      return same_sync_object(a, b) && !(is_lock_read(a) && is_lock_read(b));
    case EVENT_NONE:
    case EVENT_BEGIN:
    case EVENT_END:
    case EVENT_FORK:
    case EVENT_JOIN:
    case EVENT_READ:
    case EVENT_WRITE:
    case EVENT_RMW:
    case EVENT_FENCE:
    case EVENT_ALLOC:
    case EVENT_CHOICE:
    case EVENT_AWAIT:
    case EVENT_ATOMIC:
    case EVENT_YIELD:
    case EVENT_COUNT:
      return false;
  }
  return false;
}
