/* Semaphores, barriers, pthread_once(): what they order. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#include "enforce/enforce.h"
#include "intercept/intercept.h"
#include "record/count.h"
#include "record/kept.h"
#include "record/record.h"

/* What hands on, and whoever gets through has what all before it knew. */
static void posts(void *object, enum sync_kind kind) {
  struct thread *t = watched();
  if (t && !t->ignore_sync) sync_release(t, (uintptr_t)object, kind);
}
static void gets(void *object) {
  struct thread *t = watched();
  if (t && !t->ignore_sync) sync_acquire(t, (uintptr_t)object);
}

/* Semaphores have a value: it decides who gets through, and who does not, knows of those who did. */
static void sem_changes(struct thread *t, sem_t *object, bool down, uintptr_t pc) {
  struct sync *s = t && !t->ignore_sync ? sync_at((uintptr_t)object, SYNC_SEM) : NULL;
  if (!s) return;
  if (UNLIKELY(recording)) {
    if (!down) kept_call(t, object, pc);
    count_changes(t, s, down);
    if (down) kept_call(t, object, pc);
    return;
  }
  sync_lock(t, s);
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
  struct sync *s = t && t->weak && !t->ignore_sync ? sync_at((uintptr_t)object, SYNC_SEM) : NULL;
  if (!s) return;
  sync_lock(t, s);
  thread_acquire_weak(t, vclock_weak(s->clock));
  section_reads(t, s);
  sync_unlock(t, s);
}
/* The C library did not let t through. A signal may come at any count. True if that is so. */
static bool refuses(struct thread *t, sem_t *object, int error) {
  bool vain = error == EAGAIN || error == ETIMEDOUT;
  if (UNLIKELY(recording) && t && !t->ignore_sync && vain) return count_refuses(t, object);
  sem_looks(t, object);
  return true;
}
PUBLIC int sem_post(sem_t *s) {
  struct thread *t = watched();
  if (t) object_used(t, s, CALLER);
  enforce_before(t, 1u << TRACE_EVENT_SEM_POST, (uintptr_t)s, 1, 0);
  sem_changes(t, s, false, CALLER);
  return NEXT(sem_post)(s);
}
/* `others`: the event that it may be, but for a SEM_WAIT. */
#define SEM_WAITS(function, parameters, arguments, others, flags)                       \
  PUBLIC int function parameters {                                                      \
    struct thread *t = watched();                                                       \
    if (t) object_used(t, s, CALLER);                                                   \
    enforce_before(t, 1u << TRACE_EVENT_SEM_WAIT | (others), (uintptr_t)s, 1, (flags)); \
    int e = NEXT(function) arguments;                                                   \
    int saved = errno;                                                                  \
    if (e == 0)                                                                         \
      sem_changes(t, s, true, CALLER);                                                  \
    else if (!refuses(t, s, saved))                                                     \
      e = 0;                                                                            \
    errno = saved;                                                                      \
    return e;                                                                           \
  }
SEM_WAITS(sem_wait, (sem_t * s), (s), 0, 0)
SEM_WAITS(sem_trywait, (sem_t * s), (s), 1u << TRACE_EVENT_TRYFAIL, EVENT_TRY)
SEM_WAITS(sem_timedwait, (sem_t * s, const struct timespec *until), (s, until), 1u << TRACE_EVENT_TRYFAIL, EVENT_TRY)
SEM_WAITS(sem_clockwait, (sem_t * s, clockid_t clock, const struct timespec *until), (s, clock, until), 1u << TRACE_EVENT_TRYFAIL,
          EVENT_TRY)
PUBLIC int sem_getvalue(sem_t *s, int *value) {
  struct thread *t = watched();
  if (t) object_used(t, s, CALLER);
  int e = NEXT(sem_getvalue)(s, value);
  if (UNLIKELY(recording) && e == 0 && t && !t->ignore_sync) *value = count_asked(t, s);
  sem_looks(t, s);
  return e;
}
/* What it begins with is as if it had been posted. */
static void recorded_posts(sem_t *object, unsigned n, uintptr_t pc) {
  enum { MOST = 1 << 16 };
  struct thread *t = recording ? watched() : NULL;
  for (unsigned i = 0; t && i < n && i < MOST; i++) sem_changes(t, object, false, pc);
}
static void recorded_ends(sem_t *object) {
  struct thread *t = recording ? watched() : NULL;
  if (t && !t->ignore_sync) count_ends(t, object);
}
PUBLIC int sem_init(sem_t *s, int shared, unsigned value) {
  recorded_ends(s);
  object_initialised(s, CALLER);
  recorded_posts(s, value, CALLER);
  return NEXT(sem_init)(s, shared, value);
}
PUBLIC int sem_destroy(sem_t *s) {
  recorded_ends(s);
  int e = NEXT(sem_destroy)(s);
  if (e == 0) object_destroyed(s, CALLER);
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
  object_initialised(b, CALLER);
  struct thread *t = watched();
  struct sync *s = t ? sync_at((uintptr_t)b, SYNC_BARRIER) : NULL;
  int shared = PTHREAD_PROCESS_PRIVATE;
  if (a) pthread_barrierattr_getpshared(a, &shared);
  if (s) s->parties = shared == PTHREAD_PROCESS_PRIVATE ? count : 0;
  return NEXT(pthread_barrier_init)(b, a, count);
}
PUBLIC int pthread_barrier_destroy(pthread_barrier_t *b) {
  int e = NEXT(pthread_barrier_destroy)(b);
  if (e == 0) object_destroyed(b, CALLER);
  return e;
}
static int recorded_barrier(struct thread *t, struct sync *s, pthread_barrier_t *b) {
  enforce_before(t, 1u << TRACE_EVENT_BARRIER_ENTER, (uintptr_t)b, 1, 0);
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
  struct sync *s = t && !t->ignore_sync ? sync_at((uintptr_t)b, SYNC_BARRIER) : NULL;
  if (t) object_used(t, b, CALLER);
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
