/* Threads: how they begin, end, and are joined. */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#include "analysis/confirm.h"
#include "analysis/deadlock.h"
#include "analysis/unseen.h"
#include "analysis/violation.h"
#include "enforce/enforce.h"
#include "heap.h"
#include "intercept/intercept.h"
#include "intercept/keys.h"
#include "joining.h"
#include "record/record.h"
#include "unwound.h"

struct start {
  struct thread *thread;
  struct ending *ending;
  void *(*function)(void *);
  void *argument;
  sigset_t mask; /* its signals are blocked until it is known */
};

struct last_words {
  struct thread *thread;
  struct ending *ending;
};

/* A lock that a thread holds at its end: if it is robust, another can have it. */
static void give_up(struct thread *t, const struct held *h) {
  struct sync *s = sync_by_index(h->index);
  if (s->id != h->lock) {
    t->nheld--;
    return;
  }
  sync_lock(t, s);
  section_end(t, s, h->shared, true);
  sync_unlock(t, s);
}

/* In a trace: the C library's list of robust mutexes that the calling thread holds, from each one's place in it to the next. The lowest bit
 * says what kind it is. */
static void give_up_recorded(struct thread *t) {
  enum { MOST = 1 << 16 };
  struct robust_list_head *head = NULL;
  size_t size;
  if (syscall(SYS_get_robust_list, 0, &head, &size) != 0 || !head) return;
  uintptr_t at = (uintptr_t)head->list.next & ~(uintptr_t)1;
  for (unsigned n = 0; at != (uintptr_t)&head->list && n < MOST; n++) {
    struct sync *s = sync_find(at + (uintptr_t)head->futex_offset);
    if (s && s->owner == t->info->number + 1) {
      record_sync(t, TRACE_EVENT_RELEASE, s, 0, 0);
      s->owner = 0;
    }
    at = (uintptr_t)((const struct robust_list *)at)->next & ~(uintptr_t)1;
  }
}

static void thread_over(void *data) {
  struct last_words *w = data;
  struct thread *t = w->thread;
  struct ending *ending = w->ending;
  sigset_t all, mask;
  record_pause(true);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &mask); /* nobody is left to watch their handlers */
  deadlock_pause(t);                         /* cancelled in a wait */
  thread_enter(t);
  rt_free(w, sizeof *w);
  if (thread_ends_last(t)) { /* the C library calls exit() in it */
    hard_attach(&t->hard);
    thread_leave(t);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    record_pause(false);
    return;
  }
  if (UNLIKELY(recording)) {
    record_pause(false);
    give_up_recorded(t);
    record_end(t);
  }
  if (ending) ending->hard = t->hard;
  while (t->nheld > 0) give_up(t, &t->held[t->nheld - 1]);
  unseen_stack(t->info->memory.from, t->info->memory.to, false);
  thread_end(t, ending ? &ending->last : NULL);
  ending_drop(ending);
}

/* The stack was another thread's before, as far as the shadow knows. */
static void new_stack(void) {
  pthread_attr_t attributes;
  void *stack;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  if (pthread_attr_getstack(&attributes, &stack, &size) == 0) {
    struct thread_info *i = hd_fast.self->info;
    heap_renewed((uintptr_t)stack, size);
    i->memory.from = (uintptr_t)stack, i->memory.to = (uintptr_t)stack + size, i->memory.self = (uintptr_t)pthread_self();
    unseen_stack(i->memory.from, i->memory.to, true);
  }
  pthread_attr_destroy(&attributes);
}

/* Where the main thread's stack began. */
extern void *__libc_stack_end __attribute__((visibility("default")));

/* It may grow up to its limit; above its begin are the program's arguments. */
static void main_stack(struct thread_info *i) {
  enum { MOST = 1 << 30, ARGUMENTS = 6 << 20 };
  struct rlimit limit;
  uintptr_t begin = (uintptr_t)__libc_stack_end, size = MOST;
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < MOST) size = limit.rlim_cur;
  i->memory.from = begin - size, i->memory.to = begin + ARGUMENTS, i->memory.self = (uintptr_t)pthread_self();
  unseen_stack(i->memory.from, i->memory.to, true);
}

/* The calling thread will end as the runtime knows. */
static void will_end(struct thread *t, struct ending *ending) {
  struct last_words *w = rt_alloc(sizeof *w);
  if (!w) return;
  *w = (struct last_words){.thread = t, .ending = ending};
  keys_end_with(w);
}

/* Threads that the C library makes for itself, as one that calls functions when timers expire: it may wait for ever. What it does comes
 * behind what asked for it. */
static void attached(struct thread *t) {
  t->info->pooled = true;
  new_stack();
  will_end(t, NULL);
  if (LIKELY(!recording)) return;
  thread_leave(t);
  signals_received();
  thread_enter(t);
}

void intercept_threads_start(void) {
  if (!keys_start(thread_over)) rt_die("heddle: no key for thread-specific data is left\n");
  thread_attached = attached;
  struct ending *ending = ending_new(NULL, false); /* the main thread can be joined, if it ends by pthread_exit() */
  ending_map(ending, pthread_self());
  ending_drop(ending);
  will_end(hd_fast.self, ending);
  main_stack(hd_fast.self->info);
}

static void *heddle_thread(void *data) {
  struct start s = *(struct start *)data;
  rt_free(data, sizeof s);
  uint64_t all = ~0ull;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof all); /* its attributes may have a mask of their own */
  record_pause(true);
  if (s.thread) {
    thread_enter(s.thread);
    thread_begin(s.thread);
    new_stack();
    ending_map(s.ending, pthread_self());
    will_end(s.thread, s.ending);
    thread_leave(s.thread);
  } else {
    hd_fast.unknown = true;
  }
  pthread_sigmask(SIG_SETMASK, &s.mask, NULL);
  if (UNLIKELY(recording) && s.thread) record_begin(s.thread);
  return s.function(s.argument);
}

static bool detached(const pthread_attr_t *attributes) {
  int state;
  return attributes && pthread_attr_getdetachstate(attributes, &state) == 0 && state == PTHREAD_CREATE_DETACHED;
}

/* The mask that the attributes say, or else those that threads have that are created without any: it comes in the place of its creator's.
 */
static void said_mask(const pthread_attr_t *attributes, sigset_t *mask) {
  pthread_attr_t usual;
  sigset_t said;
  if (!attributes && pthread_getattr_default_np(&usual) != 0) return;
  if (pthread_attr_getsigmask_np(attributes ? attributes : &usual, &said) == 0) *mask = said;
  if (!attributes) pthread_attr_destroy(&usual);
}

/* Reports need room on the stack of the thread that makes them. Returns the size that was asked for, 0 if it is large enough. */
static size_t enlarge(const pthread_attr_t *attributes) {
  enum { ENOUGH = 256 << 10 };
  size_t size;
  void *stack;
  pthread_attr_t *a = (pthread_attr_t *)(uintptr_t)attributes;
  if (!a || pthread_attr_getstack(a, &stack, &size) != 0 || (uintptr_t)stack + size || size == 0 || size >= ENOUGH)
    return 0; /* a stack of the program's own ends elsewhere */
  return pthread_attr_setstacksize(a, ENOUGH) == 0 ? size : 0;
}

static int create(pthread_t *id, const pthread_attr_t *attributes, void *(*function)(void *), void *argument, uintptr_t pc) {
  struct thread *t = watched();
  enforce_before(t, 1u << TRACE_EVENT_FORK, 0, 0, 0);
  struct start *s = t ? rt_alloc(sizeof *s) : NULL;
  if (!s) return NEXT(pthread_create)(id, attributes, function, argument);
  if (!recording) touches(t, id, sizeof *id, SITE_WRITE, pc); /* done before the thread begins */
  thread_enter(t);
  *s = (struct start){.function = function, .argument = argument};
  if (UNLIKELY(confirming)) confirm_again();
  s->thread = thread_new(t, unwound_site(t, pc, SITE_THREAD));
  struct ending *ending = s->thread ? ending_new(s->thread->info, detached(attributes)) : NULL;
  s->ending = ending;
  struct thread *made = s->thread;
  if (made) made->info->pooled = is_understood(pc);
  thread_tick(t);
  if (UNLIKELY(recording) && made) record_fork(t, made->info, argument);
  size_t asked = enlarge(attributes);
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &s->mask);
  sigset_t mask = s->mask; /* the thread gives back *s */
  said_mask(attributes, &s->mask);
  /* It calls malloc(), which may be the program's: what that does to memory is in no record, as its locks are not. */
  if (UNLIKELY(recording)) record_pause(true);
  int e = NEXT(pthread_create)(id, attributes, heddle_thread, s);
  if (UNLIKELY(recording)) record_pause(false);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  if (asked) pthread_attr_setstacksize((pthread_attr_t *)(uintptr_t)attributes, asked);
  if (e == 0) {
    ending_map(ending, *id);
  } else {
    if (made) thread_drop(made);
    ending_drop(ending);
    rt_free(s, sizeof *s);
  }
  ending_drop(ending);
  thread_leave(t);
  if (UNLIKELY(recording) && e == 0) touches(t, id, sizeof *id, SITE_WRITE, pc); /* its value is known now */
  return e;
}

PUBLIC int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
  return create(id, attributes, function, argument, CALLER);
}

/* What the C library gives back of the thread's own, pthread_create() got while nothing was recorded. */
#define JOINS(call)                \
  ({                               \
    hd_recorder.joins = recording; \
    int joined_ = (call);          \
    hd_recorder.joins = false;     \
    joined_;                       \
  })

static void joined(struct ending *ending, bool over) {
  struct thread *t = watched();
  if (t) thread_enter(t); /* a signal's handler may want the locks of what follows */
  if (UNLIKELY(recording) && t && over && ending && ending->thread) record_join(t, ending->thread);
  if (t && over && ending) thread_acquire(t, ending->last), hard_join(&t->hard, &ending->hard), threads_settle();
  if (ending && over) ending_unmap(ending);
  ending_drop(ending);
  if (t) thread_leave(t);
}

PUBLIC int pthread_join(pthread_t id, void **result) {
  struct ending *ending = ending_of(id);
  enforce_before(watched(), 1u << TRACE_EVENT_JOIN, 0, 0, 0);
  int e = JOINS(NEXT(pthread_join)(id, result));
  joined(ending, e == 0);
  if (e == 0 && result) touches(watched(), result, sizeof *result, SITE_WRITE, CALLER);
  return e;
}

PUBLIC int pthread_tryjoin_np(pthread_t id, void **result) {
  struct ending *ending = ending_of(id);
  enforce_before(watched(), 1u << TRACE_EVENT_JOIN, 0, 0, 0);
  int e = JOINS(NEXT(pthread_tryjoin_np)(id, result));
  joined(ending, e == 0);
  return e;
}

PUBLIC int pthread_timedjoin_np(pthread_t id, void **result, const struct timespec *until) {
  struct ending *ending = ending_of(id);
  enforce_before(watched(), 1u << TRACE_EVENT_JOIN, 0, 0, 0);
  int e = JOINS(NEXT(pthread_timedjoin_np)(id, result, until));
  joined(ending, e == 0);
  return e;
}

PUBLIC int pthread_clockjoin_np(pthread_t id, void **result, clockid_t clock, const struct timespec *until) {
  struct ending *ending = ending_of(id);
  enforce_before(watched(), 1u << TRACE_EVENT_JOIN, 0, 0, 0);
  int e = JOINS(NEXT(pthread_clockjoin_np)(id, result, clock, until));
  joined(ending, e == 0);
  return e;
}

PUBLIC int pthread_detach(pthread_t id) {
  struct ending *ending = ending_of(id);
  if (ending) ending_unmap(ending);
  ending_drop(ending);
  return NEXT(pthread_detach)(id);
}

PUBLIC int thrd_create(thrd_t *id, thrd_start_t function, void *argument) {
  /* what a thread returns is kept as it was returned: an int in a pointer's register */
  int e = create(id, NULL, (void *(*)(void *))(uintptr_t)function, argument, CALLER);
  return e == 0 ? thrd_success : e == ENOMEM || e == EAGAIN ? thrd_nomem : thrd_error;
}

PUBLIC int thrd_join(thrd_t id, int *result) {
  struct ending *ending = ending_of(id);
  void *value;
  enforce_before(watched(), 1u << TRACE_EVENT_JOIN, 0, 0, 0);
  int e = JOINS(NEXT(pthread_join)(id, &value));
  joined(ending, e == 0);
  if (e == 0 && result) *result = (int)(intptr_t)value;
  return e == 0 ? thrd_success : thrd_error;
}

PUBLIC int thrd_detach(thrd_t id) { return pthread_detach(id) == 0 ? thrd_success : thrd_error; }

PUBLIC int pthread_setname_np(pthread_t id, const char *name) {
  int e = NEXT(pthread_setname_np)(id, name);
  struct thread *t = watched();
  if (e != 0 || !t) return e;
  struct ending *ending = ending_of(id);
  if (pthread_equal(id, pthread_self()))
    thread_name(t->info->number, name);
  else if (ending && ending->thread)
    thread_name(ending->thread->number, name);
  ending_drop(ending);
  return e;
}
