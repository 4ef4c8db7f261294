/* Signals that the program sends to itself. Nothing comes from outside. A signal that is sent to another thread, or to the process while
 * several could take it, is left for it: the machine has it taken between two of its steps (src/machine/interrupt.c). */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "internal.h"

enum { SIGNALS = 65, SIGNAL_CANCEL = 32, SIGNAL_SETXID = 33, SELF = 4242 };

/* A thread's, as the machine knows it (src/machine/interrupt.c): it changes the mask and what is pending, in steps. A new thread starts with
 * the mask of the one that creates it: the machine copies it. */
static __thread struct hd_signals signal_state;

static void handle(int number, uint64_t before);

/* The process's: what was sent to it and nobody has taken, what the machine calls where a thread takes a signal, what is to be done. */
static struct {
  uint64_t pending;
  void (*handle)(int number, uint64_t before);
  struct hd_signal_action actions[SIGNALS];
} process_signals = {.handle = handle};

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

/* What timers send: only programs that have timers look. A signal that timers send counts as theirs, whoever sends it. */
static struct {
  int sent;
  void *value;
} timed[SIGNALS];

void __hd_signal_timed(int number, void *value) {
  __atomic_store_n(&timed[number].value, value, __ATOMIC_RELAXED);
  __atomic_store_n(&timed[number].sent, 1, __ATOMIC_RELEASE);
}

static siginfo_t info_of(int number) {
  siginfo_t info = {.si_signo = number, .si_code = SI_TKILL};
  if (__hd_has_timers() && __atomic_load_n(&timed[number].sent, __ATOMIC_ACQUIRE)) {
    info.si_code = SI_TIMER;
    info.si_value.sival_ptr = __atomic_load_n(&timed[number].value, __ATOMIC_RELAXED);
  }
  return info;
}

static struct hd_signal_action action_of(int number) {
  struct hd_signal_action action;
  __hd_signal_action(&process_signals.actions[number], NULL, &action);
  return action;
}

static bool is_default(const struct hd_signal_action *action) { return action->handler == (uintptr_t)SIG_DFL; }
static bool is_ignored(const struct hd_signal_action *action, int number) {
  return action->handler == (uintptr_t)SIG_IGN || (is_default(action) && ignored_by_default(number));
}
static bool is_fatal(const struct hd_signal_action *action, int number) { return is_default(action) && !ignored_by_default(number); }

static void call_handler(int number) {
  struct hd_signal_action action = action_of(number);
  if (is_ignored(&action, number)) return;
  if (is_default(&action)) killed(number);
  if (action.flags & (unsigned)SA_RESETHAND) __hd_signal_action(&process_signals.actions[number], &(struct hd_signal_action){.mask = action.mask, .flags = action.flags}, NULL);
  if (action.flags & SA_SIGINFO) {
    siginfo_t info = info_of(number);
    if (info.si_code != SI_TIMER) info.si_pid = SELF;
    ((void (*)(int, siginfo_t *, void *))action.handler)(number, &info, NULL);
  } else {
    ((__sighandler_t)action.handler)(number);
  }
}

/* The calling thread has taken a signal, and has the mask of its handler; then it has `before` again, and takes what that lets in. */
static void handle(int number, uint64_t before) {
  do call_handler(number);
  while ((number = (int)__hd_signal_mask(&signal_state, before)));
}

static void handle_now(const struct hd_signal_action *action, int number) {
  if (is_ignored(action, number)) return;
  if (is_default(action)) killed(number);
  handle(number, __hd_signal_enter(&signal_state, number));
}

static void set_mask(uint64_t mask) {
  int number = (int)__hd_signal_mask(&signal_state, mask);
  if (number) handle(number, mask);
}

static bool is_blocked(int number) { return signal_state.blocked & bit(number); }

static void send_to_self(const struct hd_signal_action *action, int number) {
  if (is_blocked(number))
    __atomic_fetch_or(&signal_state.pending, bit(number), __ATOMIC_RELEASE);
  else
    handle_now(action, number);
}

int raise(int number) {
  if (!valid(number)) return -1;
  struct hd_signal_action action = action_of(number);
  return send_to_self(&action, number), 0;
}
int gsignal(int number) { return raise(number); }

void __hd_kill(int number) {
  struct hd_signal_action action = action_of(number);
  switch (__hd_signal_post(number, is_fatal(&action, number))) {
    case 1:
      killed(number);
    case 2:
      handle_now(&action, number);
      break;
  }
}

int kill(pid_t process, int number) {
  if (process != SELF && process != 0 && process != -1) __hd_unsupported("kill", "other processes are not modelled");
  if (!number) return 0;
  if (!valid(number)) return -1;
  return __hd_kill(number), 0;
}

int pthread_kill(pthread_t thread, int number) {
  if (number < 0 || number >= SIGNALS) return EINVAL;
  if (!number) return 0;
  struct hd_signal_action action = action_of(number);
  if (pthread_equal(thread, pthread_self())) {
    send_to_self(&action, number);
    return 0;
  }
  struct hd_signals *other = __hd_signal_state(thread);
  if (!other) return 0; /* it has ended, and its handle is valid until it is joined */
  if (__hd_signal_send(other, number, is_fatal(&action, number))) killed(number);
  return 0;
}

/* abort() gives a handler its chance, whatever is blocked. */
void __hd_signal_abort(void);
void __hd_signal_abort(void) {
  struct hd_signal_action action = action_of(SIGABRT);
  if (action.handler > (uintptr_t)SIG_IGN) handle_now(&action, SIGABRT);
}

int sigaction(int number, const struct sigaction *restrict set, struct sigaction *restrict old) {
  struct hd_signal_action wanted = {0}, before;
  if (!valid(number)) return -1;
  if (number == SIGNAL_CANCEL || number == SIGNAL_SETXID) return HD_ERRNO = EINVAL, -1; /* the C library's own */
  if (set && (number == SIGKILL || number == SIGSTOP)) return HD_ERRNO = EINVAL, -1;
  if (set) wanted = (struct hd_signal_action){(uintptr_t)set->sa_handler, words(&set->sa_mask)[0], (unsigned)set->sa_flags};
  __hd_signal_action(&process_signals.actions[number], set ? &wanted : NULL, &before);
  if (old) *old = (struct sigaction){.sa_handler = (__sighandler_t)before.handler, .sa_flags = (int)before.flags};
  if (old) words(&old->sa_mask)[0] = before.mask;
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
    set_mask(after & ~(bit(SIGKILL) | bit(SIGSTOP)));
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
  words(set)[0] = __atomic_load_n(&signal_state.pending, __ATOMIC_RELAXED) | __atomic_load_n(&process_signals.pending, __ATOMIC_RELAXED);
  return 0;
}

/* --- waiting --- */

static int wait_for(const sigset_t *set, siginfo_t *info, int how) {
  int number = __hd_signal_wait(&signal_state.pending, &process_signals.pending, words(set)[0], how);
  if (info) *info = number > 0 ? info_of(number) : (siginfo_t){.si_signo = number, .si_code = SI_TKILL};
  if (number > 0) return number;
  return (HD_ERRNO = number ? EINTR : EAGAIN), -1;
}

int sigwait(const sigset_t *restrict set, int *restrict number) { return *number = wait_for(set, NULL, 0), 0; }
int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info) { return wait_for(set, info, HD_INTERRUPTIBLE); }

int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict most) {
  if (!most) return wait_for(set, info, HD_INTERRUPTIBLE);
  if (most->tv_sec < 0 || most->tv_nsec < 0 || most->tv_nsec >= HD_GIGA) return HD_ERRNO = EINVAL, -1;
  return wait_for(set, info, HD_TIMED | HD_INTERRUPTIBLE);
}

int sigsuspend(const sigset_t *set) {
  uint64_t before = signal_state.blocked;
  int number = (int)__hd_signal_suspend(words(set)[0] & ~(bit(SIGKILL) | bit(SIGSTOP)));
  if (number)
    handle(number, before);
  else
    set_mask(before);
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
