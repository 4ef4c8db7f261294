/* Signals that the program sends to itself. Nothing comes from outside. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "internal.h"

enum { SIGNALS = 65, SELF = 4242 };

static struct sigaction actions[SIGNALS];
static __thread uint64_t blocked, pending;

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

static void deliver(int number) {
  struct sigaction action = actions[number];
  if (action.sa_handler == SIG_IGN || (action.sa_handler == SIG_DFL && ignored_by_default(number))) return;
  if (action.sa_handler == SIG_DFL) killed(number);
  uint64_t before = blocked;
  blocked |= words(&action.sa_mask)[0] | (action.sa_flags & SA_NODEFER ? 0 : bit(number));
  if (action.sa_flags & (int)SA_RESETHAND) actions[number].sa_handler = SIG_DFL;
  if (action.sa_flags & SA_SIGINFO) {
    siginfo_t info = {.si_signo = number, .si_code = SI_TKILL};
    info.si_pid = SELF;
    action.sa_sigaction(number, &info, NULL);
  } else {
    action.sa_handler(number);
  }
  blocked = before;
}

static void deliver_pending(void) {
  for (uint64_t ready; (ready = pending & ~blocked);) {
    int number = __builtin_ctzll(ready) + 1;
    pending &= ~bit(number);
    deliver(number);
  }
}

static int send(int number) {
  if (!valid(number)) return -1;
  if (blocked & bit(number))
    pending |= bit(number);
  else
    deliver(number);
  return 0;
}

int raise(int number) { return send(number); }
int gsignal(int number) { return send(number); }

int kill(pid_t process, int number) {
  if (process != SELF && process != 0 && process != -1) __hd_unsupported("kill", "other processes are not modelled");
  return number ? send(number) : 0;
}

int pthread_kill(pthread_t thread, int number) {
  if (!number) return 0;
  if (!pthread_equal(thread, pthread_self())) __hd_unsupported("pthread_kill", "signals to other threads are not modelled");
  return send(number) ? EINVAL : 0;
}

/* abort() gives a handler its chance, whatever is blocked. */
void __hd_signal_abort(void);
void __hd_signal_abort(void) {
  if (actions[SIGABRT].sa_handler != SIG_DFL && actions[SIGABRT].sa_handler != SIG_IGN) deliver(SIGABRT);
}

int sigaction(int number, const struct sigaction *restrict action, struct sigaction *restrict old) {
  if (!valid(number)) return -1;
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
  uint64_t before = blocked;
  if (set) {
    uint64_t word = words(set)[0];
    if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
    blocked = how == SIG_BLOCK ? before | word : how == SIG_UNBLOCK ? before & ~word : word;
    blocked &= ~(bit(SIGKILL) | bit(SIGSTOP));
  }
  if (old) {
    *old = (sigset_t){0};
    words(old)[0] = before;
  }
  deliver_pending();
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
  words(set)[0] = pending;
  return 0;
}

int sigaltstack(const stack_t *restrict stack, stack_t *restrict old) {
  (void)stack;
  if (old) *old = (stack_t){.ss_flags = SS_DISABLE};
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
