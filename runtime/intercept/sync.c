/* Mutexes, read-write locks, spin locks: what they order. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <threads.h>

#include "analysis/confirm.h"
#include "analysis/deadlock.h"
#include "analysis/held.h"
#include "analysis/lockorder.h"
#include "analysis/seen.h"
#include "analysis/violation.h"
#include "enforce/enforce.h"
#include "intercept/intercept.h"
#include "intercept/misuse.h"
#include "record/kept.h"
#include "record/record.h"

#define ADDRESS(p) ((uintptr_t)(p))

void object_used(struct thread *t, const void *object, uintptr_t pc) {
  if (access_ignored(t, ADDRESS(object), 1, SITE_USE, pc)) return;
  thread_enter(t);
  access_lock(t, ADDRESS(object), pc);
  thread_leave(t);
}

void object_initialised(void *object, uintptr_t pc) {
  struct thread *t = watched();
  if (t) touches(t, object, 1, SITE_WRITE, pc), sync_remove(ADDRESS(object));
  if (UNLIKELY(confirming)) confirm_renewed(ADDRESS(object), 1);
}

/* A lock: reports say where it was made. */
static void lock_initialised(void *lock, enum sync_kind kind, uintptr_t pc) {
  struct thread *t = watched();
  object_initialised(lock, pc);
  struct sync *s = t ? sync_at(ADDRESS(lock), kind) : NULL;
  if (!s) return;
  thread_enter(t);
  s->site = thread_site(t, pc, SITE_ALLOC, 0);
  thread_leave(t);
}

void object_destroyed(void *object, uintptr_t pc) {
  struct thread *t = watched();
  if (t && !recording) touches(t, object, 1, SITE_FREE, pc); /* in a trace its memory goes on, and may be freed later */
  if (t) sync_remove(ADDRESS(object));
}

/* How a lock was asked for: for as long as it takes, or not. */
enum asking { WAITING, TRYING };

/* t takes it. The first time is remembered of locks that nobody initialised. */
static void begin_section(struct thread *t, struct sync *s, bool shared, enum asking how, uintptr_t pc) {
  uint32_t site = thread_site(t, pc, SITE_LOCK, 0);
  if (how == WAITING) lockorder_takes(t, s, shared, site);
  sync_lock(t, s);
  if (!s->clock && !s->site) s->site = site;
  section_begin(t, s, shared, site);
  sync_unlock(t, s);
}

/* An exclusive lock was taken. Its holder alone uses the object until it gives it back. */
static void taken(void *lock, enum sync_kind kind, enum asking how, uintptr_t pc) {
  struct thread *t = watched();
  if (!t || is_understood(pc)) return;
  object_used(t, lock, pc);
  struct sync *s = t->ignore_sync ? NULL : sync_at(ADDRESS(lock), kind);
  if (!s) return;
  if (s->owner == t->info->number + 1) {
    s->depth++;
    return;
  }
  s->owner = t->info->number + 1, s->depth = 1;
  if (UNLIKELY(recording)) {
    record_sync(t, TRACE_EVENT_ACQUIRE, s, how == TRYING ? EVENT_TRY : 0, 0);
    kept_call(t, lock, pc);
    return;
  }
  begin_section(t, s, false, how, pc);
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
  object_used(t, lock, pc);
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
  if (e == 0) object_destroyed(m, CALLER);
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
/* Carrying out a witness: t comes to the lock, and does not have it already. */
static void comes_to(struct thread *t, const volatile void *lock, unsigned flags) {
  struct sync *s = t ? sync_find(ADDRESS(lock)) : NULL;
  if (!t || (s && s->owner == t->info->number + 1)) return;
  enforce_before(t, 1u << TRACE_EVENT_ACQUIRE | 1u << TRACE_EVENT_TRYFAIL, ADDRESS(lock), 1, flags);
}
#define WAITS_FOR_LOCK(function, trying, type, kind, shared, busy, holder, notices, took, not_taken) \
  PUBLIC int function(type *l) {                                                                     \
    struct thread *t = watched();                                                                    \
    confirm_event(t, (void *)(uintptr_t)l, SITE_LOCK, CALLER);                                       \
    if (UNLIKELY(enforcing)) comes_to(t, l, (shared) ? EVENT_SHARED_LOCK : 0);                       \
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
/* It is about to try, for some time or none. */
static void tries(const volatile void *lock) {
  struct thread *t = watched();
  const struct sync *s = t && t->weak && !t->ignore_sync ? sync_find(ADDRESS(lock)) : NULL;
  if (s) seen_tries(t, s);
}
/* Another thread has it, or has had it for as long as this one could wait. */
static void in_vain(const volatile void *lock, int error, bool shared, uintptr_t pc) {
  struct thread *t = error == EBUSY || error == ETIMEDOUT || error == thrd_busy || error == thrd_timedout ? watched() : NULL;
  struct sync *s = t && (t->weak || recording) && !t->ignore_sync && !is_understood(pc) ? sync_find(ADDRESS(lock)) : NULL;
  if (!s) return;
  if (UNLIKELY(recording)) { /* who has it itself is always refused, and learns nothing */
    if (s->owner != t->info->number + 1) record_refused(t, s, shared);
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
    tries(object);                                                          \
    if (UNLIKELY(enforcing)) comes_to(watched(), object, EVENT_TRY);        \
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
  tries(f);
  if (UNLIKELY(enforcing)) comes_to(watched(), f, EVENT_TRY);
  int e = NEXT(ftrylockfile)(f);
  if (e == 0)
    taken(f, SYNC_MUTEX, TRYING, CALLER);
  else
    in_vain(f, EBUSY, false, CALLER);
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
  object_used(t, l, pc);
  struct sync *s = t->ignore_sync ? NULL : sync_at(ADDRESS(l), SYNC_RWLOCK);
  if (!s) return;
  if (UNLIKELY(recording)) {
    record_sync(t, TRACE_EVENT_ACQUIRE, s, EVENT_SHARED_LOCK | (how == TRYING ? EVENT_TRY : 0), 0);
    kept_call(t, l, pc);
    return;
  }
  begin_section(t, s, true, how, pc);
}
#define RWLOCK_HOLDER(l) (&(l)->__data.__cur_writer)
WAITS_FOR_LOCK(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, pthread_rwlock_t, SYNC_RWLOCK, false, EBUSY, RWLOCK_HOLDER(l), true,
               TAKEN(SYNC_RWLOCK), refuses_nothing)
LOCKS(pthread_rwlock_trywrlock, (pthread_rwlock_t * l), (l), l, SYNC_RWLOCK)
LOCKS(pthread_rwlock_timedwrlock, (pthread_rwlock_t * l, const struct timespec *until), (l, until), l, SYNC_RWLOCK)
LOCKS(pthread_rwlock_clockwrlock, (pthread_rwlock_t * l, clockid_t clock, const struct timespec *until), (l, clock, until), l, SYNC_RWLOCK)
#define SHARED_LOCKS(function, parameters, arguments)                               \
  PUBLIC int function parameters {                                                  \
    confirm_event(watched(), l, SITE_LOCK, CALLER);                                 \
    tries(l);                                                                       \
    if (UNLIKELY(enforcing)) comes_to(watched(), l, EVENT_TRY | EVENT_SHARED_LOCK); \
    int e = NEXT(function) arguments;                                               \
    if (e == 0)                                                                     \
      shared_taken(l, TRYING, CALLER);                                              \
    else                                                                            \
      in_vain(l, e, true, CALLER);                                                  \
    return e;                                                                       \
  }
WAITS_FOR_LOCK(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, pthread_rwlock_t, SYNC_RWLOCK, true, EBUSY, RWLOCK_HOLDER(l), true,
               shared_taken(l, WAITING, CALLER), refuses_nothing)
SHARED_LOCKS(pthread_rwlock_tryrdlock, (pthread_rwlock_t * l), (l))
SHARED_LOCKS(pthread_rwlock_timedrdlock, (pthread_rwlock_t * l, const struct timespec *until), (l, until))
SHARED_LOCKS(pthread_rwlock_clockrdlock, (pthread_rwlock_t * l, clockid_t clock, const struct timespec *until), (l, clock, until))
PUBLIC int pthread_rwlock_unlock(pthread_rwlock_t *l) {
  struct thread *t = watched();
  struct sync *s = t && !t->ignore_sync ? sync_at(ADDRESS(l), SYNC_RWLOCK) : NULL;
  if (t) object_used(t, l, CALLER), misuse_of_rwlock_unlock(t, l, CALLER);
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
  if (e == 0) object_destroyed(l, CALLER);
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
  object_destroyed((void *)(uintptr_t)l, CALLER);
  return NEXT(pthread_spin_destroy)(l);
}

/* Mutexes that are others' (intercept.h). */
void mutex_made(void *lock, uintptr_t pc) { lock_initialised(lock, SYNC_MUTEX, pc); }
bool mutex_wanted(struct thread *t, void *lock, bool again, uintptr_t pc) {
  confirm_event(t, lock, SITE_LOCK, pc);
  if (UNLIKELY(enforcing)) comes_to(t, lock, 0);
  return t && t->nheld > 0 && !t->ignore_sync && waits(t, lock, SYNC_MUTEX, false, NULL, again, pc);
}
void mutex_taken(void *lock, bool waited, uintptr_t pc) { taken(lock, SYNC_MUTEX, waited ? WAITING : TRYING, pc); }
void mutex_refused(void *lock, uintptr_t pc) { in_vain(lock, EBUSY, false, pc); }
void mutex_given(void *lock, uintptr_t pc) { given(lock, SYNC_MUTEX, pc); }
void mutex_gone(void *lock, uintptr_t pc) { object_destroyed(lock, pc); }
