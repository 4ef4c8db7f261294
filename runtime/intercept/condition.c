/* Condition variables: what they order. */
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "analysis/confirm.h"
#include "analysis/violation.h"
#include "enforce/enforce.h"
#include "intercept/intercept.h"
#include "intercept/misuse.h"
#include "record/kept.h"
#include "record/record.h"

/* They have two ABIs; only the newer one is anybody's today, and it has to be asked for by name. */
#define COND "GLIBC_2.3.2"
PUBLIC int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a) {
  struct thread *t = watched();
  if (t) misuse_of_condition(t, c, "initialisation", CALLER);
  object_initialised(c, CALLER);
  return NEXT_VERSION(pthread_cond_init, COND)(c, a);
}
PUBLIC int pthread_cond_destroy(pthread_cond_t *c) {
  struct thread *t = watched();
  if (t) misuse_of_condition(t, c, "destruction", CALLER);
  int e = NEXT_VERSION(pthread_cond_destroy, COND)(c);
  if (e == 0) object_destroyed(c, CALLER);
  return e;
}
static void notifies(pthread_cond_t *c, bool all, uintptr_t pc) {
  struct thread *t = watched();
  if (!t || is_understood(pc)) return;
  object_used(t, c, pc);
  misuse_notified(t, (uintptr_t)c, all);
  struct sync *s = (t->weak || recording) && !t->ignore_sync ? sync_at((uintptr_t)c, SYNC_COND) : NULL;
  if (!s) return;
  if (UNLIKELY(recording)) {
    kept_call(t, c, pc);
    record_sync(t, all ? TRACE_EVENT_BROADCAST : TRACE_EVENT_SIGNAL, s, 0, UINT64_MAX);
    return;
  }
  sync_lock(t, s);
  if (analysis == ANALYSIS_OVP) violation_notify(t, s, thread_site(t, pc, SITE_NOTIFY, 0));
  thread_release_weak(t, &s->notified, true);
  sync_unlock(t, s);
}
/* Only then has it happened. */
static int notified(const void *c, int e, uintptr_t pc) {
  confirm_event(watched(), c, SITE_NOTIFY, pc);
  return e;
}
PUBLIC int pthread_cond_signal(pthread_cond_t *c) {
  notifies(c, false, CALLER);
  return notified(c, NEXT_VERSION(pthread_cond_signal, COND)(c), CALLER);
}
PUBLIC int pthread_cond_broadcast(pthread_cond_t *c) {
  notifies(c, true, CALLER);
  return notified(c, NEXT_VERSION(pthread_cond_broadcast, COND)(c), CALLER);
}

PUBLIC int cnd_init(cnd_t *c) {
  object_initialised(c, CALLER);
  return NEXT(cnd_init)(c);
}
PUBLIC void cnd_destroy(cnd_t *c) {
  struct thread *t = watched();
  if (t) misuse_of_condition(t, (pthread_cond_t *)(void *)c, "destruction", CALLER);
  NEXT(cnd_destroy)(c);
  object_destroyed(c, CALLER);
}
PUBLIC int cnd_signal(cnd_t *c) {
  notifies((pthread_cond_t *)(void *)c, false, CALLER);
  return notified(c, NEXT(cnd_signal)(c), CALLER);
}
PUBLIC int cnd_broadcast(cnd_t *c) {
  notifies((pthread_cond_t *)(void *)c, true, CALLER);
  return notified(c, NEXT(cnd_broadcast)(c), CALLER);
}

/* A wait gives the mutex back, to any depth, and takes it again: also if the thread is cancelled in it. */
struct wait {
  pthread_mutex_t *mutex;
  pthread_cond_t *condition;
  uintptr_t pc;
  uint32_t depth;
  uint64_t wait;
  bool timed;
  bool recorded;
  bool kept; /* of code that is not recorded: nobody knows what it waits for */
  int result;
  bool unheld; /* the mutex is not the thread's: what then happens is undefined, and orders nothing */
};
/* The mutex is given back and taken again within the events of the wait. Of one that was cancelled nobody knows whether a notification was
 * spent on it. */
static void recorded_wait_begins(struct wait *w, struct thread *t, struct sync *s) {
  struct sync *c = t->ignore_sync ? NULL : sync_at((uintptr_t)w->condition, SYNC_COND);
  if (!c || s->owner != t->info->number + 1) return;
  w->kept = kept_calls(w->pc);
  if (w->kept) {
    w->depth = s->depth;
    kept_call(t, w->condition, w->pc);
    record_sync(t, TRACE_EVENT_RELEASE, s, 0, 0);
    s->owner = 0;
    return;
  }
  w->recorded = true, w->depth = s->depth, w->result = ETIMEDOUT;
  record_wait(t, TRACE_EVENT_WAIT_ENTER, c, s);
  s->owner = 0;
}
static void recorded_wait_ends(const struct wait *w, struct thread *t) {
  struct sync *s = sync_find((uintptr_t)w->mutex), *c = sync_find((uintptr_t)w->condition);
  if (!(w->recorded || w->kept) || !t || !s || !c) return;
  s->owner = t->info->number + 1, s->depth = w->depth;
  if (w->kept) {
    kept_call(t, w->condition, w->pc);
    record_sync(t, TRACE_EVENT_ACQUIRE, s, 0, 0);
    kept_call(t, w->mutex, w->pc);
  } else if (w->result == 0) {
    record_wait(t, TRACE_EVENT_WAIT_LEAVE, c, s);
  } else {
    record_sync(t, TRACE_EVENT_WAIT_LEAVE, c, EVENT_TIMED_OUT, 0);
    record_sync(t, TRACE_EVENT_ACQUIRE, s, 0, 0);
  }
}
static void wait_begins(struct wait *w) {
  struct thread *t = watched();
  struct sync *s = t && !is_understood(w->pc) ? sync_at((uintptr_t)w->mutex, SYNC_MUTEX) : NULL;
  if (!s) return;
  if (UNLIKELY(recording)) {
    recorded_wait_begins(w, t, s);
    return;
  }
  object_used(t, w->condition, w->pc);
  w->unheld = misuse_of_wait(t, w->mutex, w->pc);
  if (w->unheld) return;
  w->wait = misuse_wait_begins(t, (uintptr_t)w->condition, (uintptr_t)w->mutex, w->timed, w->pc);
  struct sync *c = analysis == ANALYSIS_OVP && !w->timed && !t->ignore_sync ? sync_at((uintptr_t)w->condition, SYNC_COND) : NULL;
  if (c) {
    sync_lock(t, c);
    violation_wait(t, c, s, thread_site(t, w->pc, SITE_WAIT, 0));
    sync_unlock(t, c);
  }
  t->in_wait = true;
  confirm_event(t, w->condition, SITE_WAIT, w->pc);
  if (s->owner == t->info->number + 1) w->depth = s->depth, s->depth = 1;
  mutex_given(w->mutex, w->pc);
}
/* Who was woken may take its time before it takes the mutex. */
static void held_back(const struct wait *w) {
  struct thread *t = watched();
  if (!t) return;
  confirm_wait_over(t);
  if (w->unheld || !confirm_holds(t, w->pc)) return;
  NEXT(pthread_mutex_unlock)(w->mutex);
  confirm_event(t, w->mutex, SITE_LOCK, w->pc);
  NEXT(pthread_mutex_lock)(w->mutex);
}
static void wait_ends(void *data) {
  struct wait *w = data;
  struct thread *t = watched();
  if (is_understood(w->pc)) return;
  if (UNLIKELY(recording)) {
    recorded_wait_ends(w, t);
    return;
  }
  if (t) t->in_wait = false;
  if (w->unheld) return;
  if (t) misuse_wait_ends(t, (uintptr_t)w->condition, w->wait, w->timed);
  struct sync *c = t && t->weak ? sync_find((uintptr_t)w->condition) : NULL;
  if (c) {
    sync_lock(t, c);
    thread_acquire_weak(t, c->notified);
    sync_unlock(t, c);
  }
  mutex_taken(w->mutex, true, w->pc);
  struct sync *s = t ? sync_find((uintptr_t)w->mutex) : NULL;
  if (s && w->depth && s->owner == t->info->number + 1) s->depth = w->depth;
}
/* Carrying out a witness: the wait ends when the witness says. */
static int unlock(void *m) { return NEXT(pthread_mutex_unlock)(m); }
static int lock(void *m) { return NEXT(pthread_mutex_lock)(m); }
static bool ends_as_told(struct wait *w) {
  struct thread *t = w->recorded ? watched() : NULL;
  return t && enforce_wait(t, unlock, lock, w->mutex, &w->result);
}
#define WAITS(function, version, limit, parameters, arguments)                                                                       \
  PUBLIC int function parameters {                                                                                                   \
    struct wait w = {.mutex = (pthread_mutex_t *)(void *)m, .condition = (pthread_cond_t *)(void *)c, .pc = CALLER, .timed = limit}; \
    int e;                                                                                                                           \
    wait_begins(&w);                                                                                                                 \
    pthread_cleanup_push(wait_ends, &w);                                                                                             \
    if (LIKELY(!enforcing) || !ends_as_told(&w)) w.result = NEXT_VERSION(function, version) arguments;                               \
    e = w.result;                                                                                                                    \
    if (UNLIKELY(confirming)) held_back(&w);                                                                                         \
    pthread_cleanup_pop(1);                                                                                                          \
    return e;                                                                                                                        \
  }
WAITS(pthread_cond_wait, COND, false, (pthread_cond_t * c, pthread_mutex_t *m), (c, m))
WAITS(pthread_cond_timedwait, COND, true, (pthread_cond_t * c, pthread_mutex_t *m, const struct timespec *until), (c, m, until))
WAITS(pthread_cond_clockwait, NULL, true, (pthread_cond_t * c, pthread_mutex_t *m, clockid_t clock, const struct timespec *until),
      (c, m, clock, until))
WAITS(cnd_wait, NULL, false, (cnd_t * c, mtx_t *m), (c, m))
WAITS(cnd_timedwait, NULL, true, (cnd_t * c, mtx_t *m, const struct timespec *until), (c, m, until))
