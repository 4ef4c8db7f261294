/* The calling thread, and what it does when it leaves the runtime. */
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "thread.h"

__thread struct fast hd_fast;

void thread_undefer(struct thread *t) {
  uint64_t signals = t->deferred;
  t->deferred = 0;
  int saved = errno;
  syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &signals, NULL, sizeof signals);
  errno = saved;
}
