#include "trace/event.h"

const char *event_op_text(enum event_op op) {
  static const char *const texts[] = {
#define X(name, text) text,
      EVENT_LIST(X)
#undef X
  };
  return texts[op];
}

bool event_drains(const struct event *e) {
  const uint64_t never = 1ull << EVENT_NONE | 1ull << EVENT_BEGIN | 1ull << EVENT_AWAIT | 1ull << EVENT_CHOICE | 1ull << EVENT_FLUSH |
                         1ull << EVENT_OUTPUT | 1ull << EVENT_ALLOC;
  const uint64_t marked = 1ull << EVENT_READ | 1ull << EVENT_FENCE;
  if (marked >> e->op & 1) return e->flags & EVENT_DRAINS;
  if (e->op == EVENT_YIELD) return e->flags & EVENT_EXIT;
  if (e->op == EVENT_WRITE) return !(e->flags & EVENT_BUFFERED);
  if (e->op == EVENT_RMW) return !(e->flags & EVENT_CLOCK);
  if (e->op == EVENT_FREE) return !(e->flags & EVENT_LOCAL);
  return !(never >> e->op & 1);
}

static bool is_access(const struct event *e) {
  const uint64_t accesses = 1ull << EVENT_READ | 1ull << EVENT_WRITE | 1ull << EVENT_RMW | 1ull << EVENT_ALLOC | 1ull << EVENT_FREE |
                            1ull << EVENT_AWAIT | 1ull << EVENT_FLUSH;
  return accesses >> e->op & 1;
}

/* The memory is there from then on, or up to then. */
static bool is_life(const struct event *e) { return e->op == EVENT_FREE || e->op == EVENT_ALLOC; }

/* A store into the buffer: local, but that the memory must be there. */
static bool is_issue(const struct event *e) { return e->op == EVENT_WRITE && (e->flags & EVENT_BUFFERED); }

static bool is_reading(uint8_t op) { return op == EVENT_READ || op == EVENT_AWAIT; }

/* Locks, condition variables, semaphores and barriers: an operation names its object and, for waits, the mutex in value2 (0: none). */
static bool same_sync_object(const struct event *a, const struct event *b) {
  bool wait_a = a->op == EVENT_WAIT_ENTER || a->op == EVENT_WAIT_LEAVE, wait_b = b->op == EVENT_WAIT_ENTER || b->op == EVENT_WAIT_LEAVE;
  return a->object == b->object || (wait_a && a->value2 == b->object) || (wait_b && b->value2 == a->object) ||
         (wait_a && wait_b && a->value2 == b->value2 && a->value2 != 0);
}

static bool is_shared_lock(const struct event *e) {
  return (e->op == EVENT_ACQUIRE || e->op == EVENT_RELEASE) && (e->flags & EVENT_SHARED_LOCK);
}

static bool is_barrier(uint8_t op) { return op == EVENT_BARRIER_ENTER || op == EVENT_BARRIER_LEAVE; }

/* A barrier's threads arrive in any order within a round, unless the one that arrives last is told, and leave in any order once all of
 * their round are there. */
static bool barrier_commutes(const struct event *a, const struct event *b) {
  if (a->op != b->op) return a->value != b->value;
  return a->op == EVENT_BARRIER_LEAVE || (a->value == b->value && !((a->flags | b->flags) & EVENT_RESULT));
}

static bool (*invocations_commute)(void *data, uint64_t a, uint64_t b);
static void *invocations;

void event_set_commuting(bool (*commute)(void *data, uint64_t a, uint64_t b), void *data) {
  invocations_commute = commute;
  invocations = data;
}

/* Operations on one object that can be swapped all the same. A failed try-lock reads the state that a shared acquisition changes. */
static bool commute(const struct event *a, const struct event *b) {
  if (event_is_invocation(a) && event_is_invocation(b))
    return invocations_commute && invocations_commute(invocations, a->value2, b->value2);
  if (is_barrier(a->op) && is_barrier(b->op)) return barrier_commutes(a, b);
  if (a->op == EVENT_TRYFAIL || a->op == EVENT_SEM_POST) return a->op == b->op;
  return is_shared_lock(a) && is_shared_lock(b);
}

/* A synchronisation operation against a plain or atomic access to the bytes of the object, or of the mutex of a wait. */
static bool touches_object(const struct event *sync, const struct event *access) {
  uint64_t size = sync->size ? sync->size : 1;
  bool wait = (sync->op == EVENT_WAIT_ENTER || sync->op == EVENT_WAIT_LEAVE) && sync->value2;
  return (sync->object < access->object + access->size && access->object < sync->object + size) ||
         (wait && sync->value2 < access->object + access->size && access->object < sync->value2 + EVENT_MUTEX_SIZE);
}

static bool is_sync(uint8_t op) { return op >= EVENT_ACQUIRE && op <= EVENT_OUTPUT; }

static bool concerns_thread(const struct event *e, uint32_t thread) {
  return (e->op == EVENT_FORK || e->op == EVENT_JOIN) && e->object == thread;
}

/* Two flushes for one thread by different agents: stores that overlap stay in order, and a release comes after all that is older. */
static bool flushes_ordered(const struct event *a, const struct event *b) {
  const struct event *younger = flush_store(a) < flush_store(b) ? b : a;
  return event_overlaps(a, b) || younger->order == ORDER_RELEASE;
}

/* A flush and what its buffer's thread does. A load returns what the store wrote before the flush and behind it. */
static bool own_flush_dependent(const struct event *flush, const struct event *e) {
  if (e->op == EVENT_WRITE && (e->flags & EVENT_BUFFERED)) return flush_store(flush) == e->index;
  return event_drains(e);
}

bool event_dependent(const struct event *a, const struct event *b) {
  if (a->thread == b->thread || a->op == EVENT_ATOMIC || b->op == EVENT_ATOMIC) return true;
  if (concerns_thread(a, b->thread)) return a->op == EVENT_FORK || b->op == EVENT_END;
  if (concerns_thread(b, a->thread)) return b->op == EVENT_FORK || a->op == EVENT_END;
  if (a->op == EVENT_FLUSH || b->op == EVENT_FLUSH) {
    if (a->op == b->op && flush_thread(a) == flush_thread(b)) return flushes_ordered(a, b);
    if (event_flushes_for(a, b)) return own_flush_dependent(a, b);
    if (event_flushes_for(b, a)) return own_flush_dependent(b, a);
  }
  if (((a->flags | b->flags) & EVENT_BUFFERED) && (is_issue(a) || is_issue(b))) return (is_life(a) || is_life(b)) && event_overlaps(a, b);
  bool access_a = is_access(a), access_b = is_access(b);
  if (access_a && access_b) return !(is_reading(a->op) && is_reading(b->op)) && event_overlaps(a, b);
  if (is_sync(a->op) && is_sync(b->op)) return same_sync_object(a, b) && !commute(a, b);
  if (is_sync(a->op) && access_b) return touches_object(a, b);
  if (is_sync(b->op) && access_a) return touches_object(b, a);
  return false;
}
