/* Mutexes, read-write locks, spin locks, condition variables, semaphores, barriers, pthread_once(): what they order. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <threads.h>

#include "analysis/confirm.h"
#include "analysis/deadlock.h"
#include "analysis/held.h"
#include "analysis/lockorder.h"
#include "analysis/seen.h"
#include "analysis/violation.h"
#include "intercept/intercept.h"
#include "intercept/misuse.h"
#include "record/record.h"

#define ADDRESS(p) ((uintptr_t)(p))

/* Using a lock that another thread destroys or has not initialised is a race of its own, told by the lock's first byte. */
static void used(struct thread *t, const void *object, uintptr_t pc) {
  if (access_ignored(t, ADDRESS(object), 1, SITE_USE, pc)) return;
  thread_enter(t);
  access_lock(t, ADDRESS(object), pc);
  thread_leave(t);
}

static void initialised(void *object, uintptr_t pc) {
  struct thread *t = watched();
  if (t) touches(t, object, 1, SITE_WRITE, pc), sync_remove(ADDRESS(object));
  if (UNLIKELY(confirming)) confirm_renewed(ADDRESS(object), 1);
}

/* The same of a lock: reports say where it was made. */
static void lock_initialised(void *lock, enum sync_kind kind, uintptr_t pc) {
  struct thread *t = watched();
  initialised(lock, pc);
  struct sync *s = t ? sync_at(ADDRESS(lock), kind) : NULL;
  if (!s) return;
  thread_enter(t);
  s->site = thread_site(t, pc, SITE_ALLOC, 0);
  thread_leave(t);
}

static void destroyed(void *object, uintptr_t pc) {
  struct thread *t = watched();
  if (t && !recording) touches(t, object, 1, SITE_FREE, pc); /* in a trace its memory goes on, and may be freed later */
  if (t) sync_remove(ADDRESS(object));
}

/* How a lock was asked for: for as long as it takes, or not. */
enum asking { WAITING, TRYING };

/* Where it is taken. The first time is remembered of locks that nobody initialised. */
static uint32_t lock_site(struct thread *t, struct sync *s, uintptr_t pc) {
  uint32_t site = thread_site(t, pc, SITE_LOCK, 0);
  if (!s->clock && !s->site) s->site = site;
  return site;
}

/* An exclusive lock was taken. Its holder alone uses the object until it gives it back. */
static void taken(void *lock, enum sync_kind kind, enum asking how, uintptr_t pc) {
  struct thread *t = watched();
  if (!t || is_understood(pc)) return;
  used(t, lock, pc);
  struct sync *s = t->ignore_sync ? NULL : sync_at(ADDRESS(lock), kind);
  if (!s) return;
  if (s->owner == t->info->number + 1) {
    s->depth++;
    return;
  }
  s->owner = t->info->number + 1, s->depth = 1;
  if (UNLIKELY(recording)) {
    record_sync(t, TRACE_EVENT_ACQUIRE, s, 0, 0);
    return;
  }
  sync_lock(t, s);
  section_begin(t, s, false, lock_site(t, s, pc));
  sync_unlock(t, s);
  if (how == WAITING) lockorder_taken(t);
}

/* A lock that was taken before the program asked not to look is not held any more. */
static void given_unseen(struct thread *t, uintptr_t lock) {
  struct sync *s = sync_find(lock);
  if (!s) return;
  bool mine = s->owner == t->info->number + 1;
  if (mine && --s->depth > 0) return;
  held_remove(t, s);
  if (mine) s->owner = 0;
}

/* It is about to be given back; or not, if it is another's: that one's number + 1 is returned then, otherwise 0. */
static uint32_t given(void *lock, enum sync_kind kind, uintptr_t pc) {
  struct thread *t = watched();
  if (!t || is_understood(pc)) return 0;
  used(t, lock, pc);
  if (t->ignore_sync) given_unseen(t, ADDRESS(lock));
  struct sync *s = t->ignore_sync ? NULL : sync_at(ADDRESS(lock), kind);
  if (!s) return 0;
  uint32_t others = s->owner;
  bool mine = others == t->info->number + 1;
  if (mine && --s->depth > 0) return 0;
  if (UNLIKELY(recording)) {
    if (mine) record_sync(t, TRACE_EVENT_RELEASE, s, 0, 0), s->owner = 0;
    return mine ? 0 : others;
  }
  sync_lock(t, s);
  section_end(t, s, false, mine);
  if (mine) s->owner = 0;
  sync_unlock(t, s);
  violations_report(t);
  return mine ? 0 : others;
}

/* It was that one's, who has it no more. */
static void taken_from(uint32_t others, uintptr_t lock) {
  struct sync *s = watched() ? sync_find(lock) : NULL;
  if (s) __atomic_compare_exchange_n(&s->owner, &others, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

PUBLIC int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a) {
  lock_initialised(m, SYNC_MUTEX, CALLER);
  return NEXT(pthread_mutex_init)(m, a);
}
PUBLIC int pthread_mutex_destroy(pthread_mutex_t *m) {
  struct thread *t = watched();
  if (t) misuse_of_destruction(t, m, CALLER);
  int e = NEXT(pthread_mutex_destroy)(m);
  if (e == 0) destroyed(m, CALLER);
  if (e == EBUSY && t) misuse_of_held(t, m, CALLER);
  return e;
}
/* A thread that holds others first tries; if it has to wait, it says for what. True if so. */
static bool waits(struct thread *t, const void *lock, enum sync_kind kind, bool shared, const int *holder, bool notices, uintptr_t pc) {
  struct sync *s = sync_at(ADDRESS(lock), kind);
  if (!s || s->own & OWN_ELSEWHERE || (notices && s->owner == t->info->number + 1)) return false; /* EDEADLK will tell */
  thread_enter(t);
  uint32_t site = thread_site(t, pc, SITE_LOCK, 0);
  thread_leave(t);
  deadlock_waits(t, s, shared, holder, site);
  return true;
}
/* The C library refused: is the lock no lock any more? */
static void refused(const pthread_mutex_t *m, int error, uintptr_t pc) {
  struct thread *t = error == EINVAL ? watched() : NULL;
  if (t) misuse_of_mutex(t, m, error, pc);
}
static void refuses_nothing(const volatile void *lock, int error, uintptr_t pc) { (void)lock, (void)error, (void)pc; }
#define WAITS_FOR_LOCK(function, trying, type, kind, shared, busy, holder, notices, took, not_taken) \
  PUBLIC int function(type *l) {                                                                     \
    struct thread *t = watched();                                                                    \
    confirm_event(t, (void *)(uintptr_t)l, SITE_LOCK, CALLER);                                       \
    bool says = t && t->nheld > 0 && !t->ignore_sync && !is_understood(CALLER);                      \
    int e = says ? NEXT(trying)(l) : busy;                                                           \
    if (e == busy) {                                                                                 \
      says = says && waits(t, (void *)(uintptr_t)l, kind, shared, holder, notices, CALLER);          \
      e = NEXT(function)(l);                                                                         \
      if (says) deadlock_over(t);                                                                    \
    }                                                                                                \
    if (e == 0 || e == EOWNERDEAD)                                                                   \
      took;                                                                                          \
    else                                                                                             \
      not_taken(l, e, CALLER);                                                                       \
    return e;                                                                                        \
  }
/* Another thread has it, or has had it for as long as this one could wait. */
static void in_vain(const volatile void *lock, int error, bool shared, uintptr_t pc) {
  struct thread *t = error == EBUSY || error == ETIMEDOUT || error == thrd_busy || error == thrd_timedout ? watched() : NULL;
  struct sync *s = t && (t->weak || recording) && !t->ignore_sync && !is_understood(pc) ? sync_find(ADDRESS(lock)) : NULL;
  if (!s) return;
  if (UNLIKELY(recording)) {
    record_refused(t, s, shared);
    return;
  }
  thread_enter(t);
  seen_refused(t, s);
  thread_leave(t);
}
#define TAKEN(kind) taken((void *)(uintptr_t)l, kind, WAITING, CALLER)
#define LOCKS(function, parameters, arguments, object, kind)                \
  PUBLIC int function parameters {                                          \
    confirm_event(watched(), (void *)(uintptr_t)object, SITE_LOCK, CALLER); \
    int e = NEXT(function) arguments;                                       \
    if (e == 0 || e == EOWNERDEAD)                                          \
      taken(object, kind, TRYING, CALLER);                                  \
    else                                                                    \
      in_vain(object, e, false, CALLER);                                    \
    return e;                                                               \
  }
/* The C library's mutex: who holds it, and whether it would notice if that one took it again. */
#define MUTEX_HOLDER(m)  (&((pthread_mutex_t *)(void *)(m))->__data.__owner)
#define MUTEX_NOTICES(m) ((((pthread_mutex_t *)(void *)(m))->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK)
#define UNLOCKS(function, type, kind, misuse)                                  \
  PUBLIC int function(type *l) {                                               \
    struct thread *t = watched();                                              \
    bool refuses = t && (misuse);                                              \
    uint32_t others = refuses ? 0 : given((void *)(uintptr_t)l, kind, CALLER); \
    int e = NEXT(function)(l);                                                 \
    if (UNLIKELY(others) && e == 0) taken_from(others, ADDRESS(l));            \
    return e;                                                                  \
  }
WAITS_FOR_LOCK(pthread_mutex_lock, pthread_mutex_trylock, pthread_mutex_t, SYNC_MUTEX, false, EBUSY, MUTEX_HOLDER(l), MUTEX_NOTICES(l),
               TAKEN(SYNC_MUTEX), refused)
LOCKS(pthread_mutex_trylock, (pthread_mutex_t * m), (m), m, SYNC_MUTEX)
LOCKS(pthread_mutex_timedlock, (pthread_mutex_t * m, const struct timespec *until), (m, until), m, SYNC_MUTEX)
LOCKS(pthread_mutex_clocklock, (pthread_mutex_t * m, clockid_t clock, const struct timespec *until), (m, clock, until), m, SYNC_MUTEX)
UNLOCKS(pthread_mutex_unlock, pthread_mutex_t, SYNC_MUTEX, misuse_of_unlock(t, l, CALLER))
WAITS_FOR_LOCK(mtx_lock, mtx_trylock, mtx_t, SYNC_MUTEX, false, thrd_busy, MUTEX_HOLDER(l), MUTEX_NOTICES(l), TAKEN(SYNC_MUTEX),
               refuses_nothing)
LOCKS(mtx_trylock, (mtx_t * m), (m), m, SYNC_MUTEX)
LOCKS(mtx_timedlock, (mtx_t * m, const struct timespec *until), (m, until), m, SYNC_MUTEX)
UNLOCKS(mtx_unlock, mtx_t, SYNC_MUTEX, misuse_of_unlock(t, (pthread_mutex_t *)(void *)l, CALLER))
WAITS_FOR_LOCK(pthread_spin_lock, pthread_spin_trylock, pthread_spinlock_t, SYNC_SPIN, false, EBUSY, NULL, false, TAKEN(SYNC_SPIN),
               refuses_nothing)
LOCKS(pthread_spin_trylock, (pthread_spinlock_t * l), (l), (void *)(uintptr_t)l, SYNC_SPIN)
UNLOCKS(pthread_spin_unlock, pthread_spinlock_t, SYNC_SPIN, (misuse_of_spin_unlock(t, (pthread_spinlock_t *)(uintptr_t)l, CALLER), false))

/* Streams: the lock that threads take for several calls. */
PUBLIC void flockfile(FILE *f) {
  NEXT(flockfile)(f);
  taken(f, SYNC_MUTEX, WAITING, CALLER);
}
PUBLIC int ftrylockfile(FILE *f) {
  int e = NEXT(ftrylockfile)(f);
  if (e == 0) taken(f, SYNC_MUTEX, TRYING, CALLER);
  return e;
}
PUBLIC void funlockfile(FILE *f) {
  given(f, SYNC_MUTEX, CALLER);
  NEXT(funlockfile)(f);
}

/* Read-write locks: shared holders may be many, so what they hand on is under the object's own lock. */
static void shared_taken(pthread_rwlock_t *l, enum asking how, uintptr_t pc) {
  struct thread *t = watched();
  if (!t) return;
  used(t, l, pc);
  struct sync *s = t->ignore_sync ? NULL : sync_at(ADDRESS(l), SYNC_RWLOCK);
  if (!s) return;
  if (UNLIKELY(recording)) {
    record_sync(t, TRACE_EVENT_ACQUIRE, s, EVENT_SHARED_LOCK, 0);
    return;
  }
  sync_lock(t, s);
  section_begin(t, s, true, lock_site(t, s, pc));
  sync_unlock(t, s);
  if (how == WAITING) lockorder_taken(t);
}
#define RWLOCK_HOLDER(l) (&(l)->__data.__cur_writer)
WAITS_FOR_LOCK(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, pthread_rwlock_t, SYNC_RWLOCK, false, EBUSY, RWLOCK_HOLDER(l), true,
               TAKEN(SYNC_RWLOCK), refuses_nothing)
LOCKS(pthread_rwlock_trywrlock, (pthread_rwlock_t * l), (l), l, SYNC_RWLOCK)
LOCKS(pthread_rwlock_timedwrlock, (pthread_rwlock_t * l, const struct timespec *until), (l, until), l, SYNC_RWLOCK)
LOCKS(pthread_rwlock_clockwrlock, (pthread_rwlock_t * l, clockid_t clock, const struct timespec *until), (l, clock, until), l, SYNC_RWLOCK)
#define SHARED_LOCKS(function, parameters, arguments) \
  PUBLIC int function parameters {                    \
    confirm_event(watched(), l, SITE_LOCK, CALLER);   \
    int e = NEXT(function) arguments;                 \
    if (e == 0)                                       \
      shared_taken(l, TRYING, CALLER);                \
    else                                              \
      in_vain(l, e, true, CALLER);                    \
    return e;                                         \
  }
WAITS_FOR_LOCK(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, pthread_rwlock_t, SYNC_RWLOCK, true, EBUSY, RWLOCK_HOLDER(l), true,
               shared_taken(l, WAITING, CALLER), refuses_nothing)
SHARED_LOCKS(pthread_rwlock_tryrdlock, (pthread_rwlock_t * l), (l))
SHARED_LOCKS(pthread_rwlock_timedrdlock, (pthread_rwlock_t * l, const struct timespec *until), (l, until))
SHARED_LOCKS(pthread_rwlock_clockrdlock, (pthread_rwlock_t * l, clockid_t clock, const struct timespec *until), (l, clock, until))
PUBLIC int pthread_rwlock_unlock(pthread_rwlock_t *l) {
  struct thread *t = watched();
  struct sync *s = t && !t->ignore_sync ? sync_at(ADDRESS(l), SYNC_RWLOCK) : NULL;
  if (t) used(t, l, CALLER), misuse_of_rwlock_unlock(t, l, CALLER);
  if (t && t->ignore_sync) given_unseen(t, ADDRESS(l));
  if (s && recording) {
    bool mine = s->owner == t->info->number + 1;
    record_sync(t, TRACE_EVENT_RELEASE, s, mine ? 0 : EVENT_SHARED_LOCK, 0);
    if (mine) s->owner = 0, s->depth = 0;
  } else if (s) {
    sync_lock(t, s);
    bool mine = s->owner == t->info->number + 1;
    section_end(t, s, !mine, true);
    if (mine) s->owner = 0, s->depth = 0;
    sync_unlock(t, s);
    violations_report(t);
  }
  return NEXT(pthread_rwlock_unlock)(l);
}
PUBLIC int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *a) {
  lock_initialised(l, SYNC_RWLOCK, CALLER);
  return NEXT(pthread_rwlock_init)(l, a);
}
PUBLIC int pthread_rwlock_destroy(pthread_rwlock_t *l) {
  struct thread *t = watched();
  if (t) misuse_of_rwlock_destruction(t, l, CALLER);
  int e = NEXT(pthread_rwlock_destroy)(l);
  if (e == 0) destroyed(l, CALLER);
  return e;
}
PUBLIC int pthread_spin_init(pthread_spinlock_t *l, int shared) {
  lock_initialised((void *)(uintptr_t)l, SYNC_SPIN, CALLER);
  struct sync *s = watched() && shared == PTHREAD_PROCESS_SHARED ? sync_at(ADDRESS((void *)(uintptr_t)l), SYNC_SPIN) : NULL;
  if (s) s->own |= OWN_ELSEWHERE; /* it has no holder, as the C library sees it */
  return NEXT(pthread_spin_init)(l, shared);
}
PUBLIC int mtx_init(mtx_t *m, int kind) {
  lock_initialised(m, SYNC_MUTEX, CALLER);
  return NEXT(mtx_init)(m, kind);
}
PUBLIC int pthread_spin_destroy(pthread_spinlock_t *l) {
  destroyed((void *)(uintptr_t)l, CALLER);
  return NEXT(pthread_spin_destroy)(l);
}

/* Mutexes that are others' (intercept.h). */
void mutex_made(void *lock, uintptr_t pc) { lock_initialised(lock, SYNC_MUTEX, pc); }
bool mutex_wanted(struct thread *t, void *lock, bool again, uintptr_t pc) {
  confirm_event(t, lock, SITE_LOCK, pc);
  return t && t->nheld > 0 && !t->ignore_sync && waits(t, lock, SYNC_MUTEX, false, NULL, again, pc);
}
void mutex_taken(void *lock, bool waited, uintptr_t pc) { taken(lock, SYNC_MUTEX, waited ? WAITING : TRYING, pc); }
void mutex_given(void *lock, uintptr_t pc) { given(lock, SYNC_MUTEX, pc); }
void mutex_gone(void *lock, uintptr_t pc) { destroyed(lock, pc); }

/* Condition variables have two ABIs; only the newer one is anybody's today, and it has to be asked for by name. */
#define COND "GLIBC_2.3.2"
PUBLIC int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a) {
  struct thread *t = watched();
  if (t) misuse_of_condition(t, c, "initialisation", CALLER);
  initialised(c, CALLER);
  return NEXT_VERSION(pthread_cond_init, COND)(c, a);
}
PUBLIC int pthread_cond_destroy(pthread_cond_t *c) {
  struct thread *t = watched();
  if (t) misuse_of_condition(t, c, "destruction", CALLER);
  int e = NEXT_VERSION(pthread_cond_destroy, COND)(c);
  if (e == 0) destroyed(c, CALLER);
  return e;
}
static void notifies(pthread_cond_t *c, bool all, uintptr_t pc) {
  struct thread *t = watched();
  if (!t || is_understood(pc)) return;
  used(t, c, pc);
  misuse_notified(t, ADDRESS(c), all);
  struct sync *s = (t->weak || recording) && !t->ignore_sync ? sync_at(ADDRESS(c), SYNC_COND) : NULL;
  if (!s) return;
  if (UNLIKELY(recording)) {
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
  initialised(c, CALLER);
  return NEXT(cnd_init)(c);
}
PUBLIC void cnd_destroy(cnd_t *c) {
  struct thread *t = watched();
  if (t) misuse_of_condition(t, (pthread_cond_t *)(void *)c, "destruction", CALLER);
  NEXT(cnd_destroy)(c);
  destroyed(c, CALLER);
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
  int result;
  bool unheld; /* the mutex is not the thread's: what then happens is undefined, and orders nothing */
};
/* The mutex is given back and taken again within the events of the wait. Of one that was cancelled nobody knows whether a notification was
 * spent on it. */
static void recorded_wait_begins(struct wait *w, struct thread *t, struct sync *s) {
  struct sync *c = t->ignore_sync ? NULL : sync_at(ADDRESS(w->condition), SYNC_COND);
  if (!c || s->owner != t->info->number + 1) return;
  w->recorded = true, w->depth = s->depth, w->result = ETIMEDOUT;
  record_wait(t, TRACE_EVENT_WAIT_ENTER, c, s);
  s->owner = 0;
}
static void recorded_wait_ends(const struct wait *w, struct thread *t) {
  struct sync *s = sync_find(ADDRESS(w->mutex)), *c = sync_find(ADDRESS(w->condition));
  if (!w->recorded || !t || !s || !c) return;
  s->owner = t->info->number + 1, s->depth = w->depth;
  if (w->result == 0) {
    record_wait(t, TRACE_EVENT_WAIT_LEAVE, c, s);
  } else {
    record_sync(t, TRACE_EVENT_WAIT_LEAVE, c, EVENT_TIMED_OUT, 0);
    record_sync(t, TRACE_EVENT_ACQUIRE, s, 0, 0);
  }
}
static void wait_begins(struct wait *w) {
  struct thread *t = watched();
  struct sync *s = t && !is_understood(w->pc) ? sync_at(ADDRESS(w->mutex), SYNC_MUTEX) : NULL;
  if (!s) return;
  if (UNLIKELY(recording)) {
    recorded_wait_begins(w, t, s);
    return;
  }
  used(t, w->condition, w->pc);
  w->unheld = misuse_of_wait(t, w->mutex, w->pc);
  if (w->unheld) return;
  w->wait = misuse_wait_begins(t, ADDRESS(w->condition), ADDRESS(w->mutex), w->timed, w->pc);
  struct sync *c = analysis == ANALYSIS_OVP && !w->timed && !t->ignore_sync ? sync_at(ADDRESS(w->condition), SYNC_COND) : NULL;
  if (c) {
    sync_lock(t, c);
    violation_wait(t, c, s, thread_site(t, w->pc, SITE_WAIT, 0));
    sync_unlock(t, c);
  }
  t->in_wait = true;
  confirm_event(t, w->condition, SITE_WAIT, w->pc);
  if (s->owner == t->info->number + 1) w->depth = s->depth, s->depth = 1;
  given(w->mutex, SYNC_MUTEX, w->pc);
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
  if (t) misuse_wait_ends(t, ADDRESS(w->condition), w->wait, w->timed);
  taken(w->mutex, SYNC_MUTEX, WAITING, w->pc);
  struct sync *c = t && t->weak ? sync_find(ADDRESS(w->condition)) : NULL;
  if (c) {
    sync_lock(t, c);
    thread_acquire_weak(t, c->notified);
    sync_unlock(t, c);
  }
  struct sync *s = t ? sync_find(ADDRESS(w->mutex)) : NULL;
  if (s && w->depth && s->owner == t->info->number + 1) s->depth = w->depth;
}
#define WAITS(function, version, limit, parameters, arguments)                                                                       \
  PUBLIC int function parameters {                                                                                                   \
    struct wait w = {.mutex = (pthread_mutex_t *)(void *)m, .condition = (pthread_cond_t *)(void *)c, .pc = CALLER, .timed = limit}; \
    int e;                                                                                                                           \
    wait_begins(&w);                                                                                                                 \
    pthread_cleanup_push(wait_ends, &w);                                                                                             \
    e = w.result = NEXT_VERSION(function, version) arguments;                                                                        \
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

/* What hands on, and whoever gets through has what all before it knew. */
static void posts(void *object, enum sync_kind kind) {
  struct thread *t = watched();
  if (t && !t->ignore_sync) sync_release(t, ADDRESS(object), kind);
}
static void gets(void *object) {
  struct thread *t = watched();
  if (t && !t->ignore_sync) sync_acquire(t, ADDRESS(object));
}

/* Semaphores have a value: it decides who gets through, and who does not, knows of those who did. */
static struct sync *semaphore(struct thread *t, sem_t *object) {
  struct sync *s = t && !t->ignore_sync ? sync_at(ADDRESS(object), SYNC_SEM) : NULL;
  if (s) sync_lock(t, s);
  return s;
}
static void sem_changes(struct thread *t, sem_t *object, bool down) {
  struct sync *s = semaphore(t, object);
  if (!s) return;
  if (UNLIKELY(recording)) {
    record_sync(t, down ? TRACE_EVENT_SEM_WAIT : TRACE_EVENT_SEM_POST, s, 0, 0);
    sync_unlock(t, s);
    return;
  }
  section_writes(t, s);
  if (!down) {
    thread_release_join(t, &s->clock);
  } else {
    thread_acquire(t, s->clock);
    section_reads(t, s);
    thread_release_weakly(t, &s->clock, true);
  }
  sync_unlock(t, s);
}
static void sem_looks(struct thread *t, sem_t *object) {
  struct sync *s = t && t->weak ? semaphore(t, object) : NULL;
  if (!s) return;
  thread_acquire_weak(t, vclock_weak(s->clock));
  section_reads(t, s);
  sync_unlock(t, s);
}
PUBLIC int sem_post(sem_t *s) {
  struct thread *t = watched();
  if (t) used(t, s, CALLER);
  sem_changes(t, s, false);
  return NEXT(sem_post)(s);
}
#define SEM_WAITS(function, parameters, arguments) \
  PUBLIC int function parameters {                 \
    struct thread *t = watched();                  \
    if (t) used(t, s, CALLER);                     \
    int e = NEXT(function) arguments;              \
    int saved = errno;                             \
    if (e == 0)                                    \
      sem_changes(t, s, true);                     \
    else                                           \
      sem_looks(t, s);                             \
    errno = saved;                                 \
    return e;                                      \
  }
SEM_WAITS(sem_wait, (sem_t * s), (s))
SEM_WAITS(sem_trywait, (sem_t * s), (s))
SEM_WAITS(sem_timedwait, (sem_t * s, const struct timespec *until), (s, until))
SEM_WAITS(sem_clockwait, (sem_t * s, clockid_t clock, const struct timespec *until), (s, clock, until))
PUBLIC int sem_getvalue(sem_t *s, int *value) {
  struct thread *t = watched();
  if (t) used(t, s, CALLER);
  int e = NEXT(sem_getvalue)(s, value);
  sem_looks(t, s);
  return e;
}
/* What it begins with is as if it had been posted. */
static void recorded_posts(sem_t *object, unsigned n) {
  enum { MOST = 1 << 16 };
  struct thread *t = recording ? watched() : NULL;
  for (unsigned i = 0; t && i < n && i < MOST; i++) sem_changes(t, object, false);
}
PUBLIC int sem_init(sem_t *s, int shared, unsigned value) {
  initialised(s, CALLER);
  recorded_posts(s, value);
  return NEXT(sem_init)(s, shared, value);
}
PUBLIC int sem_destroy(sem_t *s) {
  int e = NEXT(sem_destroy)(s);
  if (e == 0) destroyed(s, CALLER);
  return e;
}

/* Barriers: the threads of a round gather what they tell in an object of its own, which the last to leave gives back; the barrier itself
 * may be gone by then. If other processes come to it, too, or nobody saw how many it waits for (`parties` is 0), rounds are not told apart:
 * whoever leaves knows what all told that came before, which may be more than its own round. */
struct round {
  struct vclock *clock; /* complete, and fixed, when the round is full */
  struct hard hard;     /* the same, of what no schedule changes */
  uint32_t inside;      /* its threads that have not left */
};

static struct round *comes(struct thread *t, struct sync *s) {
  sync_lock(t, s);
  struct round *r = s->round;
  if (!r && (r = rt_alloc(sizeof *r))) *r = (struct round){0};
  if (r) {
    thread_release_join(t, &r->clock);
    hard_join(&r->hard, &t->hard);
    r->inside++;
    s->round = ++s->depth < s->parties ? r : NULL;
    if (!s->round) s->depth = 0;
  }
  sync_unlock(t, s);
  return r;
}

static void leaves(struct thread *t, struct round *r) {
  thread_enter(t); /* a signal's handler may want the locks of what follows */
  thread_acquire(t, r->clock);
  t->hard = (struct hard){.segment = r->hard.segment}; /* its own was among them */
  if (__atomic_sub_fetch(&r->inside, 1, __ATOMIC_ACQ_REL) == 0) {
    vclock_free(r->clock);
    rt_free(r, sizeof *r);
    threads_settle();
  }
  thread_leave(t);
}

PUBLIC int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *a, unsigned count) {
  initialised(b, CALLER);
  struct thread *t = watched();
  struct sync *s = t ? sync_at(ADDRESS(b), SYNC_BARRIER) : NULL;
  int shared = PTHREAD_PROCESS_PRIVATE;
  if (a) pthread_barrierattr_getpshared(a, &shared);
  if (s) s->parties = shared == PTHREAD_PROCESS_PRIVATE ? count : 0;
  return NEXT(pthread_barrier_init)(b, a, count);
}
PUBLIC int pthread_barrier_destroy(pthread_barrier_t *b) {
  int e = NEXT(pthread_barrier_destroy)(b);
  if (e == 0) destroyed(b, CALLER);
  return e;
}
static int recorded_barrier(struct thread *t, struct sync *s, pthread_barrier_t *b) {
  sync_lock(t, s);
  bool completes = ++s->depth == s->parties;
  if (completes) s->depth = 0;
  record_sync(t, TRACE_EVENT_BARRIER_ENTER, s, 0, completes);
  sync_unlock(t, s);
  int e = NEXT(pthread_barrier_wait)(b);
  record_sync(t, TRACE_EVENT_BARRIER_LEAVE, s, 0, 0);
  return e;
}
PUBLIC int pthread_barrier_wait(pthread_barrier_t *b) {
  struct thread *t = watched();
  struct sync *s = t && !t->ignore_sync ? sync_at(ADDRESS(b), SYNC_BARRIER) : NULL;
  if (t) used(t, b, CALLER);
  if (s && recording) return recorded_barrier(t, s, b);
  bool counted = s && s->parties > 0;
  struct round *round = counted ? comes(t, s) : NULL;
  if (s && !counted) posts(b, SYNC_BARRIER);
  int e = NEXT(pthread_barrier_wait)(b);
  if (round) leaves(t, round);
  if (s && !counted) gets(b), hard_attach(&t->hard);
  return e;
}

/* The first of several threads runs the function; the others know that it has. */
struct once {
  void *control;
  void (*function)(void);
};
static __thread struct once now;
static void run_once(void) {
  struct once mine = now;
  mine.function();
  posts(mine.control, SYNC_ONCE);
}
PUBLIC int pthread_once(pthread_once_t *control, void (*function)(void)) {
  if (!watched()) return NEXT(pthread_once)(control, function);
  struct once outer = now;
  now = (struct once){control, function};
  int e = NEXT(pthread_once)(control, run_once);
  now = outer;
  gets(control);
  return e;
}
PUBLIC void call_once(once_flag *flag, void (*function)(void)) { pthread_once((pthread_once_t *)(void *)flag, function); }
