/* Signals: a handler comes behind what was done before it was set up, and before the signal was sent by a thread of this process; so does
 * what waits for signals. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "analysis/deadlock.h"
#include "intercept/handler.h"
#include "intercept/library.h"
#include "joining.h"
#include "record/record.h"
#include "record/system.h"

static char signals; /* stands for all */

static struct {
  _Atomic(void *) function; /* the program's, of either form */
  _Atomic(bool) once;       /* SA_RESETHAND */
} handlers[_NSIG];

static void sent(void) {
  struct thread *t = watched();
  if (t && !t->ignore_sync) sync_release(t, (uintptr_t)&signals, SYNC_OTHER);
}
bool signals_are_read;
void signals_received(void) {
  struct thread *t = watched();
  if (t && !t->ignore_sync) sync_acquire(t, (uintptr_t)&signals);
}

/* The thread is within the runtime: the signal comes again when it has left. False if that cannot be. */
static bool defer(struct thread *t, int number, siginfo_t *info, ucontext_t *interrupted) {
  if (syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), number, info) != 0) return false;
  sigaddset(&interrupted->uc_sigmask, number);
  t->deferred |= 1ull << (number - 1), t->astray |= 1ull << (number - 1);
  return true;
}

static void call(int number, siginfo_t *info, void *context) {
  void *function = handlers[number].function;
  if (handlers[number].once) NEXT(signal)(number, SIG_DFL);
  ((void (*)(int, siginfo_t *, void *))function)(number, info, context); /* the short form does not look at the rest */
}

/* The handler's calls stand above the instruction that was interrupted: that may be the one that keeps a call, so its frame is put back. */
static void handle(int number, siginfo_t *info, void *context) {
  int saved = errno;
  struct thread *t = hd_fast.self;
  ucontext_t *interrupted = context;
  bool aborts = t && t->allocates && number == SIGABRT; /* behind that is no later */
  bool deferred = t && (t->busy || record_is_busy()) && !aborts && defer(t, number, info, interrupted);
  errno = saved;
  if (deferred) return;
  if (!t || t->busy || hd_fast.top + 2 >= t->frames + FRAMES) {
    call(number, info, context);
    return;
  }
  struct frame *top = hd_fast.top, next = top[1];
  top[1] = (struct frame){.pc = (uintptr_t)interrupted->uc_mcontext.gregs[REG_RIP] + 1, .context = CONTEXT_UNKNOWN};
  hd_fast.top = top + 1;
  struct handling before = handler_begins(t, number, handlers[number].function, interrupted, (uintptr_t)&signals);
  signals_received();
  struct waits waits = deadlock_pause(t);
  errno = saved;
  call(number, info, context);
  handler_ends(t, &before);
  deadlock_resume(t, &waits);
  top[1] = next, hd_fast.top = top;
}

static int set_action(struct thread *t, int number, const struct sigaction *action, struct sigaction *old) {
  if (!t || number <= 0 || number >= _NSIG || number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE)
    return NEXT(sigaction)(number, action, old);
  void *before = handlers[number].function;
  bool once = handlers[number].once;
  struct sigaction ours;
  if (action) {
    ours = *action;
    if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN) {
      handlers[number].function = (void *)action->sa_sigaction;
      handlers[number].once = (action->sa_flags & (int)SA_RESETHAND) != 0;
      ours.sa_sigaction = handle, ours.sa_flags = (action->sa_flags | SA_SIGINFO) & ~(int)SA_RESETHAND;
      signals_handled = true;
      sent();
    }
  }
  int e = NEXT(sigaction)(number, action ? &ours : NULL, old);
  if (e != 0 && action) {
    handlers[number].function = before;
    handlers[number].once = once;
  }
  if (e == 0 && old &&
      old->sa_sigaction == handle) { /* as it was asked for; which of the two forms it had makes no difference to callers of it */
    old->sa_sigaction = (void (*)(int, siginfo_t *, void *))before;
    if (once) old->sa_flags |= (int)SA_RESETHAND;
  }
  return e;
}

static int change_action(struct thread *t, int number, const struct sigaction *action, struct sigaction *old) {
  if (UNLIKELY(recording) && t) system_alters(t);
  int e = set_action(t, number, action, old);
  if (UNLIKELY(recording) && t) system_alters(t);
  return e;
}

PUBLIC int sigaction(int number, const struct sigaction *action, struct sigaction *old) {
  struct thread *t = watched();
  if (action) touches(t, action, sizeof *action, SITE_READ, CALLER);
  int e = change_action(t, number, action, old);
  if (e == 0 && old) touches(t, old, sizeof *old, SITE_WRITE, CALLER);
  return e;
}

static sighandler_t set_up(int number, sighandler_t handler, int flags) {
  struct sigaction action, old;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler, action.sa_flags = flags;
  return change_action(watched(), number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}
PUBLIC sighandler_t signal(int number, sighandler_t handler) { return set_up(number, handler, SA_RESTART); }

/* The handler may run within the call: its stack has it. What a thread sends to itself comes before the call returns. */
#define SENDS(function, parameters, arguments, itself)  \
  PUBLIC int function parameters {                      \
    struct thread *t = watched();                       \
    sent();                                             \
    if (UNLIKELY(recording) && t) system_alters_all(t); \
    if (t && itself) t->raising = number;               \
    bool called = call_begins(CALLER);                  \
    int e = NEXT(function) arguments;                   \
    if (called) call_ends();                            \
    if (UNLIKELY(recording) && t) system_alters_all(t); \
    if (t && itself) t->raising = 0;                    \
    return e;                                           \
  }
SENDS(kill, (pid_t pid, int number), (pid, number), pid == getpid())
SENDS(pthread_kill, (pthread_t id, int number), (id, number), pthread_equal(id, pthread_self()))
SENDS(raise, (int number), (number), true)
SENDS(sigqueue, (pid_t pid, int number, const union sigval value), (pid, number, value), pid == getpid())
SENDS(pthread_sigqueue, (pthread_t id, int number, const union sigval value), (id, number, value), pthread_equal(id, pthread_self()))

#define WAITS(function, parameters, arguments, fine) \
  PUBLIC int function parameters {                   \
    int e = NEXT(function) arguments;                \
    if (fine) signals_received();                    \
    return e;                                        \
  }
PUBLIC int sigwait(const sigset_t *set, int *number) {
  int e = NEXT(sigwait)(set, number);
  if (e != 0) return e;
  signals_received();
  if (UNLIKELY(recording)) touches(watched(), number, sizeof *number, SITE_WRITE, CALLER);
  return e;
}
WAITS(sigwaitinfo, (const sigset_t *set, siginfo_t *info), (set, info), e > 0)
WAITS(sigtimedwait, (const sigset_t *set, siginfo_t *info, const struct timespec *timeout), (set, info, timeout), e > 0)

/* --- cancellation --- */

/* What a thread does that is cancelled comes behind the request. Whether it has come to know of it shows only where it goes on: in a
 * handler, or at its end. */
PUBLIC int pthread_cancel(pthread_t id) {
  struct thread *t = watched();
  struct ending *ending = recording && t ? ending_of(id) : NULL;
  if (ending && ending->thread) {
    sync_release(t, (uintptr_t)&signals, SYNC_OTHER);
    __atomic_store_n(&((struct thread_info *)(uintptr_t)ending->thread)->cancelled, true, __ATOMIC_RELEASE);
  }
  ending_drop(ending);
  return NEXT(pthread_cancel)(id);
}

void cancelled_resumes(void) {
  struct thread *t = recording ? watched() : NULL;
  if (!t || LIKELY(!__atomic_load_n(&t->info->cancelled, __ATOMIC_ACQUIRE))) return;
  signals_received();
}
PUBLIC void __heddle_recorder_resumes(int resumes, uint32_t site);
void __heddle_recorder_resumes(int resumes, uint32_t site) {
  if (!resumes) return;
  hd_recorder.site = site;
  cancelled_resumes();
}

/* --- timers that call a function --- */

struct expiry {
  void (*function)(union sigval value);
  union sigval value;
};
/* The timer is set again, or gone: nobody knows when the last call has begun, so this stays. */
static void expires(union sigval value) {
  const struct expiry *e = value.sival_ptr;
  signals_received();
  e->function(e->value);
}
PUBLIC int timer_create(clockid_t clock, struct sigevent *event, timer_t *timer) {
  struct thread *t = watched();
  bool calls = t && event && event->sigev_notify == SIGEV_THREAD && event->sigev_notify_function;
  struct expiry *e = calls ? rt_alloc(sizeof *e) : NULL;
  if (!e) return NEXT(timer_create)(clock, event, timer);
  struct sigevent ours = *event;
  *e = (struct expiry){event->sigev_notify_function, event->sigev_value};
  ours.sigev_notify_function = expires, ours.sigev_value.sival_ptr = e;
  sent();
  int result = NEXT(timer_create)(clock, &ours, timer);
  if (result != 0) rt_free(e, sizeof *e);
  return result;
}

/* Timers, and processes that are started. */
static void before_sending(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  (void)f, (void)arguments, (void)pc;
  if (!t->ignore_sync) sync_release(t, (uintptr_t)&signals, SYNC_OTHER);
}
/* What was called before may have been called under another mask. */
static void before_masking(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  (void)f, (void)arguments, (void)pc;
  t->unsafe.epoch = 0;
}
const struct role TIMER = {.before = before_sending};
const struct role MASK = {.before = before_masking};
