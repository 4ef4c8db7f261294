/* finds: data race A B; fixed: nothing. quickly. System calls of the program's own, told as <sanitizer/linux_syscall_hooks.h> does: one reads
 * into a buffer that another thread's writes from. */
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "moment.h"

void __sanitizer_syscall_pre_impl_write(long fd, long from, long n), __sanitizer_syscall_post_impl_write(long result, long fd, long from, long n);
void __sanitizer_syscall_pre_impl_read(long fd, long to, long n), __sanitizer_syscall_post_impl_read(long result, long fd, long to, long n);

static int one[2], other[2];
static char buffer[8];

static void *gives(void *argument) {
  moment_await(1);
  __sanitizer_syscall_pre_impl_write(other[1], (long)buffer, sizeof buffer); /* @A */
  long n = syscall(SYS_write, other[1], buffer, sizeof buffer);
  __sanitizer_syscall_post_impl_write(n, other[1], (long)buffer, sizeof buffer);
  return argument;
}

static void gets_it(void) {
  __sanitizer_syscall_pre_impl_read(one[0], (long)buffer, sizeof buffer);
  long n = syscall(SYS_read, one[0], buffer, sizeof buffer);
  __sanitizer_syscall_post_impl_read(n, one[0], (long)buffer, sizeof buffer); /* @B */
}

int main(void) {
  pthread_t t;
  if (pipe(one) != 0 || pipe(other) != 0 || write(one[1], "seven..", 8) != 8) return 2;
#ifdef FIXED
  gets_it();
#endif
  pthread_create(&t, NULL, gives, NULL);
#ifndef FIXED
  gets_it();
#endif
  moment_reach(1);
  pthread_join(t, NULL);
  return 0;
}
