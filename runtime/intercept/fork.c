/* Processes that come about without fork(), whose handlers (start.c) are not called: by clone(), _Fork(), or by the system call itself
 * (systemcall.c has syscall()). The child has its own memory, and one thread: no lock of the runtime may be held by one that is not there.
 * A child in the same memory, as vfork() makes it, is none of these. */
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "intercept/intercept.h"

/* In the child after clone(). */
struct cloned {
  int (*function)(void *);
  void *argument;
};

static int begin_child(void *data) {
  struct cloned c = *(const struct cloned *)data; /* on the parent's stack, of which this is a copy */
  runtime_after_fork(true);
  return c.function(c.argument);
}

PUBLIC int clone(int (*function)(void *), void *stack, int flags, void *argument, ...) {
  va_list more;
  va_start(more, argument);
  pid_t *parent = va_arg(more, pid_t *);
  void *tls = va_arg(more, void *);
  pid_t *child = va_arg(more, pid_t *);
  va_end(more);
  if (!runtime_on || flags & CLONE_VM || !function || !stack) return NEXT(clone)(function, stack, flags, argument, parent, tls, child);
  struct cloned c = {function, argument};
  runtime_before_fork();
  int e = NEXT(clone)(begin_child, stack, flags, &c, parent, tls, child);
  runtime_after_fork(false);
  return e;
}

PUBLIC pid_t _Fork(void) {
  if (!runtime_on) return NEXT(_Fork)();
  runtime_before_fork();
  pid_t e = NEXT(_Fork)();
  runtime_after_fork(e == 0);
  return e;
}

bool call_forks(const uintptr_t *call) {
  const uintptr_t *a = call + 1;
  switch (call[0]) {
    case SYS_fork:
      return true;
    case SYS_clone:
      return !(a[0] & CLONE_VM) && !a[1];
    case SYS_clone3: {
      const uint64_t *about = (const uint64_t *)a[0]; /* struct clone_args: flags, four others, the stack */
      return a[1] >= 6 * sizeof *about && !(about[0] & CLONE_VM) && !about[5];
    }
    default:
      return false;
  }
}

/* Its own instructions make the system call, between these two (<sanitizer/linux_syscall_hooks.h>). */
PUBLIC void __sanitizer_syscall_pre_impl_fork(void);
PUBLIC void __sanitizer_syscall_post_impl_fork(long result);
void __sanitizer_syscall_pre_impl_fork(void) {
  if (runtime_on) runtime_before_fork();
}
void __sanitizer_syscall_post_impl_fork(long result) {
  if (runtime_on) runtime_after_fork(result == 0);
}
