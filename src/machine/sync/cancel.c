/* Cancellation, deferred.
 *
 * A request is a word of the thread's region, at its handle, that the program cannot address. pthread_cancel() writes it and cancellation
 * points read it, as relaxed atomic accesses, so strategies reverse their order like that of any other accesses (POSIX does not list
 * pthread_cancel() among the functions that synchronise memory). None of this costs a program that does not call pthread_cancel().
 *
 * A cancellation point tests for a request when it is entered. One that blocks ends by a request as well, which is an alternative of its
 * step; where what it waits for is there, too, both are explored, as POSIX leaves open which it is. Handlers run with cancellation
 * disabled.
 *
 * A thread of asynchronous type acts upon a request that it makes itself at once, and upon one that was made before where it takes that
 * type. Upon that of another thread it may act between any two of its steps (interrupt.c). Where it leaves the type or the state in which
 * that could happen it looks for a request, so that one that came while it could is acted upon. */
#include "machine/memory/access.h"
#include "machine/sync/sync.h"
#include "machine/sync/table.h"

enum { STATE_ENABLE, STATE_DISABLE };
enum { TYPE_DEFERRED, TYPE_ASYNCHRONOUS };

static uint64_t request_of(const struct thread *t) { return thread_handle(t->tid); }

bool cancel_possible(const struct machine *m, const struct thread *t) {
  return m->cancels && !t->cancel_disabled && t->stage != STAGE_EXIT && t->stage != STAGE_DESTRUCTORS;
}

bool cancel_due(const struct machine *m, const struct thread *t) { return cancel_possible(m, t) && memory_get(request_of(t)); }

void cancel_note(struct machine *m, struct thread *t, const struct thread *of) {
  if (!m->cancels || m->single || (of == t && !cancel_possible(m, t))) return;
  struct event *e = machine_record(m, t, EVENT_READ, request_of(of), CANCEL_SIZE);
  e->order = ORDER_RELAXED;
  e->value = memory_get(request_of(of));
}

void cancel_rename(struct machine *m, const struct thread *t) {
  struct event *e = machine_last_event(m);
  e->op = EVENT_READ, e->order = ORDER_RELAXED, e->flags = m->buffers ? EVENT_DRAINS : 0;
  e->object = request_of(t), e->size = CANCEL_SIZE;
  e->value = memory_get(request_of(t)), e->value2 = 0;
}

enum run cancel_act(struct machine *m, struct thread *t) {
  t->phase = 0;
  t->result = UINT64_MAX; /* PTHREAD_CANCELED */
  return thread_exit(m, t, t->result);
}

enum run cancel_test(struct machine *m, struct thread *t) {
  if (!cancel_possible(m, t)) return RUN_GO;
  t->next_order = ORDER_RELAXED;
  if (!sync_visible(m, t, EVENT_READ, request_of(t), CANCEL_SIZE, 0, NEED_NOTHING, 0)) return RUN_YIELD;
  uint64_t value = memory_get(request_of(t));
  access_read_done(m, t, request_of(t), CANCEL_SIZE, value);
  return value ? cancel_act(m, t) : RUN_GO;
}

BUILTIN(cancel_testcancel) { return cancel_test(m, t); }

BUILTIN(cancel_cancel) {
  struct thread *other = thread_told(m, args[0]);
  if (!other) return machine_fail(m, t, FINDING_THREAD_MISUSE, "use", "cancellation of something that is no thread");
  t->next_order = ORDER_RELAXED;
  if (!sync_visible(m, t, EVENT_WRITE, request_of(other), CANCEL_SIZE, 0, sync_need_of(other), 0)) return RUN_YIELD;
  bool at_once = other == t && t->cancel_asynchronous && cancel_possible(m, t);
  if (other->joined)
    return machine_fail(m, t, FINDING_THREAD_MISUSE, "use", "cancellation of the joined thread %s", machine_thread_name(m, other->tid));
  machine_last_event(m)->value = 1;
  memory_put(&m->memory, request_of(other), 1);
  m->ncomputed = 0; /* a thread that stands at a cancellation point is enabled now */
  t->wrote = true;
  *result = 0;
  return at_once ? cancel_act(m, t) : RUN_GO;
}

BUILTIN(cancel_setcancelstate) {
  uint32_t state = (uint32_t)args[0];
  bool was = t->cancel_disabled;
  *result = 0;
  if (sync_tells(t)) return sync_tell(m, t, args[1], 4, t->wait_ticket);
  *result = EINVAL;
  if (state != STATE_ENABLE && state != STATE_DISABLE) return RUN_GO;
  *result = 0;
  if (t->cancel_asynchronous && m->cancels && !t->forced && was != (state == STATE_DISABLE)) {
    t->cancel_disabled = false; /* for the question: the state is left or taken here */
    enum run run = cancel_test(m, t);
    if (run == RUN_YIELD) t->cancel_disabled = was;
    if (run != RUN_GO) return run;
  }
  if (!t->forced) t->cancel_disabled = state == STATE_DISABLE;
  t->span = thread_span(m, t);
  return sync_tell(m, t, args[1], 4, was ? STATE_DISABLE : STATE_ENABLE);
}

BUILTIN(cancel_setcanceltype) {
  uint32_t type = (uint32_t)args[0];
  bool was = t->cancel_asynchronous;
  *result = 0;
  if (sync_tells(t)) return sync_tell(m, t, args[1], 4, t->wait_ticket);
  *result = EINVAL;
  if (type != TYPE_DEFERRED && type != TYPE_ASYNCHRONOUS) return RUN_GO;
  enum run run = m->cancels && was != (type == TYPE_ASYNCHRONOUS) ? cancel_test(m, t) : RUN_GO;
  if (run != RUN_GO) return run;
  *result = 0;
  t->cancel_asynchronous = type == TYPE_ASYNCHRONOUS;
  t->span = thread_span(m, t);
  return sync_tell(m, t, args[1], 4, was ? TYPE_ASYNCHRONOUS : TYPE_DEFERRED);
}
