// System calls by their number are the functions of that name, for those that programs make so.
// verdict: SAFE
// case: unknown -DUNKNOWN
// verdict: BOUNDED
// exit: 2
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void *child(void *number) {
  assert(syscall(SYS_gettid) == gettid() && gettid() != *(pid_t *)number);
  return 0;
}

int main(void) {
  pthread_t t;
  pid_t number = (pid_t)syscall(SYS_gettid);
  struct sched_param p;
  struct timespec now;
  unsigned processor = 9;
  assert(number == getpid() && syscall(SYS_getpid) == number);
  assert(syscall(SYS_sched_getparam, number, &p) == 0 && p.sched_priority == 0);
  assert(syscall(SYS_getcpu, &processor, NULL, NULL) == 0 && processor == 0);
  assert(syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now) == 0);
  assert(syscall(SYS_membarrier, 0, 0) == -1 && errno == ENOSYS);
  assert(syscall(SYS_setresuid, 1, 2, 3) == -1 && errno == EPERM && setuid(getuid()) == 0);
#ifdef UNKNOWN
  syscall(SYS_acct, "file");
#endif
  pthread_create(&t, 0, child, &number);
  pthread_join(t, 0);
  return 0;
}
