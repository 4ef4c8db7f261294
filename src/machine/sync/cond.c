/* Condition variables. A wait is two steps: WAIT_ENTER gives the mutex up and queues the thread, WAIT_LEAVE takes the mutex back once the
 * thread was signalled. A wait that ends by its time or spuriously leaves the queue in a step of its own (WAIT_LEAVE, flagged TIMED_OUT)
 * and then acquires the mutex like any other thread: a signal may come between the two, and is then another waiter's or lost. */
#include "machine/sync/sync.h"
#include "machine/sync/table.h"

enum phase { PHASE_ENTER, PHASE_LEAVE, PHASE_RELOCK };

static struct cond *cond_at(uint64_t address) { return host_at(address); }

/* Also while a signal handler has interrupted the wait. */
static bool is_waiting(const struct thread *t) { return (t->phase == PHASE_LEAVE && t->need == NEED_SIGNAL) || t->kept == NEED_SIGNAL; }

bool cond_used_by(const struct thread *t, uint64_t address) { return is_waiting(t) && t->wait_object == address && !t->signalled; }

uint32_t cond_next_waiter(const struct machine *m, uint64_t cond, uint32_t from) {
  for (uint32_t i = tset_next(&m->alive, from); i < THREADS_MAX; i = tset_next(&m->alive, i + 1)) {
    if (cond_used_by(m->threads[i], cond)) return i;
  }
  return THREADS_MAX;
}

uint32_t cond_waiter_with(const struct machine *m, uint64_t mutex) {
  for (uint32_t i = tset_next(&m->alive, 0); i < THREADS_MAX; i = tset_next(&m->alive, i + 1))
    if (is_waiting(m->threads[i]) && m->threads[i]->wait_object2 == mutex) return i;
  return THREADS_MAX;
}

/* One waiter fewer that is not woken. */
static void unqueue(struct machine *m, uint64_t address) {
  struct cond *x = cond_at(address);
  sync_put(m, &x->waiters, x->waiters - 1);
  if (x->waiters == 0) sync_put64(m, address + offsetof(struct cond, mutex), 0);
}

/* The caller may not wait with this mutex: *result is set, or the finding made. */
static enum run not_owner(struct machine *m, struct thread *t, uint64_t mutex, uint64_t *result) {
  const struct mutex *x = host_at(mutex);
  uint32_t kind = x->kind & MUTEX_KIND_MASK;
  *result = EPERM;
  if (kind == MUTEX_ERRORCHECK || (x->kind & MUTEX_ROBUST)) return RUN_GO; /* POSIX has the result for these alone */
  return sync_misuse(m, t, mutex, &sync_mutex, "wait on a condition variable with the %s, which the thread does not hold");
}

static enum run enter(struct machine *m, struct thread *t, uint64_t cond, uint64_t mutex, uint64_t *result) {
  if (!sync_possible(m, t, cond, sizeof(struct cond)) || !sync_possible(m, t, mutex, sizeof(struct mutex))) return RUN_STOP;
  if (!sync_visible(m, t, EVENT_WAIT_ENTER, cond, sizeof(struct cond), mutex, NEED_NOTHING, 0)) return RUN_YIELD;
  if (!sync_live(m, t, cond, &sync_cond) || !sync_live(m, t, mutex, &sync_mutex)) return RUN_STOP;
  if (!mutex_is_owned(t, mutex)) return not_owner(m, t, mutex, result);
  if (cancel_due(m, t)) {
    cancel_rename(m, t);
    return cancel_act(m, t);
  }
  if (t->seen) spin_released(m, t, mutex);
  cancel_note(m, t, t);
  struct cond *x = cond_at(cond);
  if (x->waiters && x->mutex != mutex) {
    uint32_t other = cond_next_waiter(m, cond, 0);
    sync_misuse(m, t, cond, &sync_cond, "two threads wait on the %s with different mutexes");
    if (other != THREADS_MAX) machine_fail_site(m, other, m->threads[other]->pending.site, "waits");
    return RUN_STOP;
  }
  if (x->waiters == 0) sync_put64(m, cond + offsetof(struct cond, mutex), mutex);
  sync_put(m, &x->waiters, x->waiters + 1);
  mutex_give(m, mutex);
  t->wait_object = cond, t->wait_object2 = mutex;
  t->signalled = false;
  t->phase = PHASE_LEAVE;
  return RUN_GO;
}

static void end_wait(struct thread *t) {
  t->phase = PHASE_ENTER;
  t->wait_object = t->wait_object2 = t->wait_ticket = 0;
  t->signalled = false;
}

/* The wait ends by a request for cancellation, which is acted upon when the mutex is locked again. */
static void cancel(struct machine *m, struct thread *t) {
  t->wait_ticket = ECANCELED;
  if (!t->signalled) {
    struct event *e = machine_last_event(m);
    e->flags |= EVENT_TIMED_OUT;
    e->value2 = 0;
    unqueue(m, t->wait_object);
    t->wait_object = 0;
    t->phase = PHASE_RELOCK;
  }
  cancel_note(m, t, t);
}

/* The wait ends without a signal. */
static void expire(struct machine *m, struct thread *t, bool timed, uint64_t deadline) {
  bool spurious = !timed || t->choice == 1;
  if (!spurious) (void)sync_time_comes(m, t, deadline);
  struct event *e = machine_last_event(m);
  e->flags |= EVENT_TIMED_OUT;
  e->value2 = 0;
  unqueue(m, t->wait_object);
  t->wait_object = 0;
  t->wait_ticket = spurious ? 0 : ETIMEDOUT;
  t->phase = PHASE_RELOCK;
  cancel_note(m, t, t);
}

static enum run wait(struct machine *m, struct thread *t, uint64_t cond, uint64_t mutex, bool timed, uint64_t deadline, uint64_t *result) {
  enum run run;
  if (t->phase == PHASE_ENTER) {
    if (t->kept) return sync_waits_within(m, t);
    *result = EINVAL;
    if (timed && deadline == TIME_INVALID) return RUN_GO;
    if ((run = enter(m, t, cond, mutex, result)) != RUN_GO || t->phase == PHASE_ENTER) return run;
  }
  if (t->phase == PHASE_LEAVE) {
    if (!sync_visible(m, t, EVENT_WAIT_LEAVE, cond, sizeof(struct cond), mutex, NEED_SIGNAL, timed ? EVENT_TIMED : 0)) return RUN_YIELD;
    if (t->cancel_taken)
      cancel(m, t);
    else if (t->signalled)
      cancel_note(m, t, t);
    else
      expire(m, t, timed, deadline);
  }
  if (t->phase == PHASE_RELOCK && !sync_visible(m, t, EVENT_ACQUIRE, mutex, sizeof(struct mutex), 0, NEED_MUTEX, 0)) return RUN_YIELD;
  if (!sync_live(m, t, mutex, &sync_mutex)) return RUN_STOP;
  uint64_t code = mutex_take(m, t, mutex);
  *result = code ? code : t->wait_ticket;
  bool cancelled = t->wait_ticket == ECANCELED;
  end_wait(t);
  return cancelled ? cancel_act(m, t) : RUN_GO;
}

BUILTIN(cond_wait) { return wait(m, t, args[0], args[1], false, 0, result); }
BUILTIN(cond_timedwait) { return wait(m, t, args[0], args[1], true, args[2], result); }

static void wake(struct machine *m, uint32_t waiter, struct event *e) {
  struct thread *t = m->threads[waiter];
  unqueue(m, t->wait_object);
  t->signalled = true;
  thread_changes(t);
  if (waiter < 64) e->value |= 1ull << waiter;
}

/* Nobody waits: what is lost matters only to a wait that never ends (deadlock.c). */
static void lose(struct machine *m, uint64_t address) {
  if (m->single) sync_put(m, &cond_at(address)->early, m->site + 1);
}

BUILTIN(cond_signal) {
  uint64_t address = args[0];
  if (!sync_possible(m, t, address, sizeof(struct cond))) return RUN_STOP;
  if (!sync_visible(m, t, EVENT_SIGNAL, address, sizeof(struct cond), 0, NEED_NOTHING, 0)) return RUN_YIELD;
  if (!sync_live(m, t, address, &sync_cond)) return RUN_STOP;
  uint32_t waiter = cond_next_waiter(m, address, 0);
  *result = 0;
  if (waiter == THREADS_MAX) {
    lose(m, address);
    return RUN_GO;
  }
  for (uint32_t i = 0; i < t->choice; i++) waiter = cond_next_waiter(m, address, waiter + 1);
  wake(m, waiter, machine_last_event(m));
  t->wrote = true;
  return RUN_GO;
}

BUILTIN(cond_broadcast) {
  uint64_t address = args[0];
  if (!sync_possible(m, t, address, sizeof(struct cond))) return RUN_STOP;
  if (!sync_visible(m, t, EVENT_BROADCAST, address, sizeof(struct cond), 0, NEED_NOTHING, 0)) return RUN_YIELD;
  if (!sync_live(m, t, address, &sync_cond)) return RUN_STOP;
  *result = 0;
  uint32_t waiter = cond_next_waiter(m, address, 0);
  if (waiter == THREADS_MAX) lose(m, address);
  for (; waiter != THREADS_MAX; waiter = cond_next_waiter(m, address, waiter + 1)) {
    wake(m, waiter, machine_last_event(m));
    t->wrote = true;
  }
  return RUN_GO;
}

BUILTIN(cond_init) {
  uint64_t attributes; /* which make no difference here */
  enum run run = sync_told(m, t, args[1], 4, &attributes);
  if (run == RUN_GO) run = sync_init(m, t, args[0], &sync_cond);
  if (run == RUN_GO) sync_told_end(t);
  *result = 0;
  return run;
}

BUILTIN(cond_destroy) {
  uint64_t address = args[0];
  enum run run = sync_destroy(m, t, address, &sync_cond);
  if (run != RUN_GO) return run;
  uint32_t waiter = cond_next_waiter(m, address, 0);
  if (waiter != THREADS_MAX) {
    sync_misuse(m, t, address, &sync_cond, "destruction of the %s while a thread waits on it");
    machine_fail_site(m, waiter, m->threads[waiter]->pending.site, "waits");
    return RUN_STOP;
  }
  sync_seal_destroyed(m, address, &sync_cond);
  *result = 0;
  return RUN_GO;
}
