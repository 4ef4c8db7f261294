/* System calls by number: those that programs make where their C library has no function, or had none once. Each is the function of that
 * name. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

extern long __hd_futex(const int *word, int operation, int value, va_list rest);
extern pthread_t __hd_thread_of_number(pid_t number);
extern int getcpu(unsigned *processor, unsigned *node);

static int in_errno(int error) {
  if (error) HD_ERRNO = error;
  return error ? -1 : 0;
}

/* To a thread of this process. */
static int signal_thread(pid_t number, int which) { return in_errno(pthread_kill(__hd_thread_of_number(number), which)); }

/* The kernel gives the size of the set, the C library 0. */
static long get_affinity(pid_t number, size_t size, cpu_set_t *set) {
  return sched_getaffinity(number, size, set) ? -1 : (long)sizeof(unsigned long);
}

static long exit_all(int code) { _exit(code); }

/* name, how many arguments are looked at, the call over them: N(i) and U(i) a number, P(i) a pointer */
/* clang-format off */
#define CALL_LIST(X) \
  X(SYS_getpid, 0, getpid()) \
  X(SYS_getppid, 0, getppid()) \
  X(SYS_gettid, 0, gettid()) \
  X(SYS_getuid, 0, getuid()) \
  X(SYS_geteuid, 0, geteuid()) \
  X(SYS_getgid, 0, getgid()) \
  X(SYS_getegid, 0, getegid()) \
  X(SYS_setuid, 1, setuid(U(0))) \
  X(SYS_setgid, 1, setgid(U(0))) \
  X(SYS_setreuid, 2, setreuid(U(0), U(1))) \
  X(SYS_setregid, 2, setregid(U(0), U(1))) \
  X(SYS_setresuid, 3, setresuid(U(0), U(1), U(2))) \
  X(SYS_setresgid, 3, setresgid(U(0), U(1), U(2))) \
  X(SYS_sched_yield, 0, sched_yield()) \
  X(SYS_sched_getaffinity, 3, get_affinity(N(0), a[1], P(2))) \
  X(SYS_exit_group, 1, exit_all(N(0))) \
  X(SYS_sched_getparam, 2, sched_getparam(N(0), P(1))) \
  X(SYS_sched_setparam, 2, sched_setparam(N(0), P(1))) \
  X(SYS_sched_getscheduler, 1, sched_getscheduler(N(0))) \
  X(SYS_sched_setscheduler, 3, sched_setscheduler(N(0), N(1), P(2))) \
  X(SYS_sched_setaffinity, 3, sched_setaffinity(N(0), a[1], P(2))) \
  X(SYS_getcpu, 2, getcpu(P(0), P(1))) \
  X(SYS_clock_gettime, 2, clock_gettime(N(0), P(1))) \
  X(SYS_nanosleep, 2, nanosleep(P(0), P(1))) \
  X(SYS_clock_nanosleep, 4, in_errno(clock_nanosleep(N(0), N(1), P(2), P(3)))) \
  X(SYS_getrandom, 3, getrandom(P(0), a[1], U(2))) \
  X(SYS_tkill, 2, signal_thread(N(0), N(1))) \
  X(SYS_tgkill, 3, signal_thread(N(1), N(2))) \
  X(SYS_pause, 0, pause()) \
  X(SYS_read, 3, read(N(0), P(1), a[2])) \
  X(SYS_write, 3, write(N(0), P(1), a[2])) \
  X(SYS_close, 1, close(N(0)))
/* clang-format on */

#define N(i) ((int)a[i])
#define U(i) ((unsigned)a[i])
#define P(i) ((void *)a[i])

long syscall(long number, ...) {
  va_list list;
  unsigned long a[4];
  long result = -1;
  va_start(list, number);
  switch (number) {
#define X(name, count, call)                                                    \
  case name:                                                                    \
    for (int i = 0; i < (count); i++) a[i] = va_arg(list, unsigned long); \
    result = call;                                                              \
    break;
    CALL_LIST(X)
#undef X
    case SYS_futex: {
      const int *word = va_arg(list, const int *);
      int operation = va_arg(list, int), value = va_arg(list, int);
      result = __hd_futex(word, operation, value, list);
      break;
    }
    case SYS_membarrier: /* as on a system that is older than it: programs have a way without */
      HD_ERRNO = ENOSYS;
      break;
    default:
      __hd_unsupported("syscall", "this system call is not modelled by its number");
  }
  va_end(list);
  return result;
}
