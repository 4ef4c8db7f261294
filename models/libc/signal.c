/* Signals that the program sends to itself. Nothing comes from outside. A signal that another thread blocks, or waits for, is kept for it;
 * one that would run a handler in another thread, which may be anywhere, is refused. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "internal.h"

enum { SIGNALS = 65, SIGNAL_CANCEL = 32, SIGNAL_SETXID = 33, SELF = 4242 };

static struct sigaction actions[SIGNALS];

/* A thread's. Other threads read `blocked` and `awaited`, and add to `pending`; only the thread itself changes the rest. A new thread
 * starts with the mask of the one that creates it: the machine copies it. */
struct signals {
  uint64_t blocked;
  uint64_t pending;
  uint64_t awaited; /* not blocked while the thread stands in sigsuspend() or pause() */
};
static __thread struct signals signal_state;
static uint64_t process_pending; /* blocked by every thread when it was sent to the process */

static void set_blocked(uint64_t mask) { __atomic_store_n(&signal_state.blocked, mask, __ATOMIC_RELAXED); }

static bool valid(int number) {
  if (number > 0 && number < SIGNALS) return true;
  HD_ERRNO = EINVAL;
  return false;
}

static uint64_t bit(int number) { return 1ull << (number - 1); }
static uint64_t *words(const sigset_t *set) { return (uint64_t *)set->__val; }

static bool ignored_by_default(int number) {
  return number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT || (number >= SIGSTOP && number <= SIGTTOU);
}

static _Noreturn void killed(int number) {
  char message[96] = "the program is ended by signal SIG";
  const char *name = sigabbrev_np(number);
  size_t n = hd_strlen(message), m = hd_strlen(name ? name : "RT");
  __builtin_memcpy(message + n, name ? name : "RT", m + 1);
  __hd_fail("abort", message);
}

static bool is_ignored(const struct sigaction *action, int number) {
  return action->sa_handler == SIG_IGN || (action->sa_handler == SIG_DFL && ignored_by_default(number));
}

/* In the calling thread; false: nobody noticed. */
static bool deliver(int number) {
  struct sigaction action = actions[number];
  if (is_ignored(&action, number)) return false;
  if (action.sa_handler == SIG_DFL) killed(number);
  uint64_t before = signal_state.blocked;
  set_blocked(before | words(&action.sa_mask)[0] | (action.sa_flags & SA_NODEFER ? 0 : bit(number)));
  if (action.sa_flags & (int)SA_RESETHAND) actions[number].sa_handler = SIG_DFL;
  if (action.sa_flags & SA_SIGINFO) {
    siginfo_t info = {.si_signo = number, .si_code = SI_TKILL};
    info.si_pid = SELF;
    action.sa_sigaction(number, &info, NULL);
  } else {
    action.sa_handler(number);
  }
  set_blocked(before);
  return true;
}

/* Takes a pending signal that is not blocked: its number, or 0. */
static int take_pending(void) {
  uint64_t *const both[] = {&signal_state.pending, &process_pending};
  for (unsigned i = 0; i < 2; i++) {
    uint64_t ready = __atomic_load_n(both[i], __ATOMIC_ACQUIRE) & ~signal_state.blocked;
    if (!ready) continue;
    uint64_t lowest = ready & -ready;
    if (__atomic_fetch_and(both[i], ~lowest, __ATOMIC_ACQ_REL) & lowest) return __builtin_ctzll(lowest) + 1;
  }
  return 0;
}

static void deliver_pending(void) {
  for (int number; (number = take_pending());) deliver(number);
}

static void keep(uint64_t *pending, int number) { __atomic_fetch_or(pending, bit(number), __ATOMIC_RELEASE); }

static bool blocks(const struct signals *other, int number) { return __atomic_load_n(&other->blocked, __ATOMIC_RELAXED) & bit(number); }
static bool awaits(const struct signals *other, int number) { return __atomic_load_n(&other->awaited, __ATOMIC_RELAXED) & bit(number); }

/* To another thread: what it neither blocks nor stands and waits for would interrupt it. */
static void send_to(struct signals *other, int number, const char *function) {
  if (awaits(other, number) || blocks(other, number)) {
    keep(&other->pending, number);
    return;
  }
  if (is_ignored(&actions[number], number)) return;
  if (actions[number].sa_handler == SIG_DFL) killed(number);
  __hd_unsupported(function, "a handler would run in another thread, at any of its instructions; block the signal there and use sigwait");
}

static void send_to_self(int number) {
  if (signal_state.blocked & bit(number))
    keep(&signal_state.pending, number);
  else
    deliver(number);
}

/* Goes to the sender if it can, to any other thread that does not block it, or is kept for the process. */
static void send_to_process(int number) {
  struct signals *other;
  if (!(signal_state.blocked & bit(number))) {
    deliver(number);
    return;
  }
  for (unsigned i = 0; (other = __hd_signal_states(i)) != (void *)-1; i++) {
    if (!other || other == &signal_state || (!awaits(other, number) && blocks(other, number))) continue;
    send_to(other, number, "kill");
    return;
  }
  keep(&process_pending, number);
}

int raise(int number) {
  if (!valid(number)) return -1;
  return send_to_self(number), 0;
}
int gsignal(int number) { return raise(number); }

int kill(pid_t process, int number) {
  if (process != SELF && process != 0 && process != -1) __hd_unsupported("kill", "other processes are not modelled");
  if (number && !valid(number)) return -1;
  if (number) send_to_process(number);
  return 0;
}

int pthread_kill(pthread_t thread, int number) {
  if (number < 0 || number >= SIGNALS) return EINVAL;
  if (!number) return 0;
  if (pthread_equal(thread, pthread_self())) {
    send_to_self(number);
    return 0;
  }
  struct signals *other = __hd_signal_state(thread);
  if (!other) return 0; /* it has ended, and its handle is valid until it is joined */
  return send_to(other, number, "pthread_kill"), 0;
}

/* abort() gives a handler its chance, whatever is blocked. */
void __hd_signal_abort(void);
void __hd_signal_abort(void) {
  if (actions[SIGABRT].sa_handler != SIG_DFL && actions[SIGABRT].sa_handler != SIG_IGN) deliver(SIGABRT);
}

int sigaction(int number, const struct sigaction *restrict action, struct sigaction *restrict old) {
  if (!valid(number)) return -1;
  if (number == SIGNAL_CANCEL || number == SIGNAL_SETXID) return HD_ERRNO = EINVAL, -1; /* the C library's own */
  if (old) *old = actions[number];
  if (!action) return 0;
  if (number == SIGKILL || number == SIGSTOP) return HD_ERRNO = EINVAL, -1;
  actions[number] = *action;
  return 0;
}

static __sighandler_t set_handler(int number, __sighandler_t handler, int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;
  return sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

__sighandler_t signal(int number, __sighandler_t handler) { return set_handler(number, handler, SA_RESTART); }
__sighandler_t bsd_signal(int number, __sighandler_t handler);
__sighandler_t bsd_signal(int number, __sighandler_t handler) { return set_handler(number, handler, SA_RESTART); }
__sighandler_t sysv_signal(int number, __sighandler_t handler) { return set_handler(number, handler, (int)SA_RESETHAND | SA_NODEFER); }
__sighandler_t __sysv_signal(int number, __sighandler_t handler) { return sysv_signal(number, handler); }
int siginterrupt(int number, int interrupt) { return (void)interrupt, valid(number) ? 0 : -1; }

static int change_mask(int how, const sigset_t *set, sigset_t *old) {
  uint64_t before = signal_state.blocked;
  if (set) {
    uint64_t word = words(set)[0];
    if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
    uint64_t after = how == SIG_BLOCK ? before | word : how == SIG_UNBLOCK ? before & ~word : word;
    set_blocked(after & ~(bit(SIGKILL) | bit(SIGSTOP)));
    if (before & ~after) deliver_pending();
  }
  if (old) {
    *old = (sigset_t){0};
    words(old)[0] = before;
  }
  return 0;
}

int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old) { return change_mask(how, set, old); }

int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
  int error = change_mask(how, set, old);
  if (error) HD_ERRNO = error;
  return error ? -1 : 0;
}

int sigpending(sigset_t *set) {
  *set = (sigset_t){0};
  words(set)[0] = __atomic_load_n(&signal_state.pending, __ATOMIC_RELAXED) | __atomic_load_n(&process_pending, __ATOMIC_RELAXED);
  return 0;
}

/* --- waiting --- */

static int wait_for(const sigset_t *set, siginfo_t *info, bool timed) {
  int number = (int)__hd_signal_wait(&signal_state.pending, &process_pending, words(set)[0], timed);
  if (info) *info = (siginfo_t){.si_signo = number, .si_code = SI_TKILL};
  return number;
}

int sigwait(const sigset_t *restrict set, int *restrict number) { return *number = wait_for(set, NULL, false), 0; }
int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info) { return wait_for(set, info, false); }

int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict most) {
  (void)most;
  int number = wait_for(set, info, true);
  return number ? number : (HD_ERRNO = EAGAIN, -1);
}

int sigsuspend(const sigset_t *set) {
  uint64_t before = signal_state.blocked, mask = words(set)[0];
  bool handled = false;
  __atomic_store_n(&signal_state.awaited, ~mask, __ATOMIC_RELAXED);
  while (!handled) {
    int number = (int)__hd_signal_wait(&signal_state.pending, &process_pending, ~mask, false);
    set_blocked(mask);
    handled = deliver(number);
    set_blocked(before);
  }
  __atomic_store_n(&signal_state.awaited, 0, __ATOMIC_RELAXED);
  deliver_pending();
  return HD_ERRNO = EINTR, -1;
}

int pause(void) {
  sigset_t now = {0};
  words(&now)[0] = signal_state.blocked;
  return sigsuspend(&now);
}

/* Handlers run on the thread's own stack, which has room for them; what was set is told. */
static __thread stack_t alternate = {.ss_flags = SS_DISABLE};
int sigaltstack(const stack_t *restrict stack, stack_t *restrict old) {
  stack_t before = alternate;
  if (stack && !(stack->ss_flags & SS_DISABLE) && stack->ss_size < (size_t)MINSIGSTKSZ) return HD_ERRNO = ENOMEM, -1;
  if (stack) alternate = *stack;
  if (old) *old = before;
  return 0;
}

int sigemptyset(sigset_t *set) { return *set = (sigset_t){0}, 0; }
int sigfillset(sigset_t *set) { return __builtin_memset(set, 0xff, sizeof *set), 0; }

static int change_set(sigset_t *set, int number, bool add) {
  if (!valid(number)) return -1;
  if (add)
    words(set)[0] |= bit(number);
  else
    words(set)[0] &= ~bit(number);
  return 0;
}

int sigaddset(sigset_t *set, int number) { return change_set(set, number, true); }
int sigdelset(sigset_t *set, int number) { return change_set(set, number, false); }
int sigismember(const sigset_t *set, int number) { return valid(number) ? (words(set)[0] & bit(number)) != 0 : -1; }
int sigisemptyset(const sigset_t *set) { return !words(set)[0]; }
