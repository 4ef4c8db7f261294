/* Where a run failed: the thread to which a fatal signal came. The signal then ends the process as it would have. */
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "paths/paths.h"

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};

static void tell(int number, siginfo_t *info, void *context) {
  (void)context;
  struct path_header *h = paths_header;
  uint32_t nobody = 0;
  bool fault = info->si_code > 0;
  if (h && __atomic_compare_exchange_n(&h->failure.signal, &nobody, (uint32_t)number, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    h->failure.thread = hd_paths.thread;
    h->failure.address = fault && number != SIGABRT ? (uint64_t)(uintptr_t)info->si_addr : 0;
  }
  /* A fault comes again as the handler returns, and abort() raises its signal again: now without a handler. What somebody sent does not. */
  if (!fault && number != SIGABRT) syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), number);
}

void failure_watch(void) {
  struct sigaction action = {.sa_sigaction = tell, .sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++) sigaction(fatal[i], &action, NULL);
}
