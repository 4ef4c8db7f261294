/* Clocks and sleeping. Time is what the machine counts, from a fixed date; sleeping is letting others run. */
#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

enum { EPOCH = 1704067200, GIGA = 1000000000 }; /* 2024-01-01 00:00:00 UTC */

static int read_clock(clockid_t clock, struct timespec *to) {
  uint64_t now = __hd_time();
  bool wall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
  if (clock < 0 || clock > CLOCK_TAI) return HD_ERRNO = EINVAL, -1;
  *to = (struct timespec){.tv_sec = (time_t)(now / GIGA) + (wall ? EPOCH : 0), .tv_nsec = (long)(now % GIGA)};
  return 0;
}

int clock_gettime(clockid_t clock, struct timespec *to) { return read_clock(clock, to); }
int __clock_gettime(clockid_t clock, struct timespec *to);
int __clock_gettime(clockid_t clock, struct timespec *to) { return read_clock(clock, to); }

int clock_getres(clockid_t clock, struct timespec *to) {
  if (clock < 0 || clock > CLOCK_TAI) return HD_ERRNO = EINVAL, -1;
  if (to) *to = (struct timespec){.tv_nsec = 1};
  return 0;
}

int clock_getcpuclockid(pid_t process, clockid_t *clock) { return (void)process, *clock = CLOCK_PROCESS_CPUTIME_ID, 0; }

int timespec_get(struct timespec *to, int base) {
  if (base != TIME_UTC) return 0;
  read_clock(CLOCK_REALTIME, to);
  return base;
}

time_t time(time_t *to) {
  struct timespec now;
  read_clock(CLOCK_REALTIME, &now);
  if (to) *to = now.tv_sec;
  return now.tv_sec;
}

int gettimeofday(struct timeval *restrict to, void *restrict zone) {
  struct timespec now;
  read_clock(CLOCK_REALTIME, &now);
  *to = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  if (zone) *(struct timezone *)zone = (struct timezone){0, 0};
  return 0;
}

clock_t clock(void) { return (clock_t)(__hd_time() / 1000); }

clock_t times(struct tms *to) {
  clock_t ticks = (clock_t)(__hd_time() / (GIGA / 100));
  if (to) *to = (struct tms){.tms_utime = ticks};
  return ticks;
}

int getrusage(__rusage_who_t who, struct rusage *to) {
  uint64_t now = __hd_time();
  (void)who;
  *to = (struct rusage){.ru_utime = {(time_t)(now / GIGA), (suseconds_t)(now % GIGA / 1000)}};
  return 0;
}

static int sleep_for(const struct timespec *wish, struct timespec *rest) {
  if (wish->tv_sec < 0 || wish->tv_nsec < 0 || wish->tv_nsec >= GIGA) return EINVAL;
  pthread_testcancel();
  __hd_yield();
  if (rest) *rest = (struct timespec){0, 0};
  return 0;
}

int nanosleep(const struct timespec *wish, struct timespec *rest) {
  int error = sleep_for(wish, rest);
  if (error) HD_ERRNO = error;
  return error ? -1 : 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wish, struct timespec *rest) {
  (void)clock, (void)flags;
  return sleep_for(wish, rest);
}

unsigned sleep(unsigned seconds) {
  (void)seconds;
  pthread_testcancel();
  __hd_yield();
  return 0;
}

int usleep(useconds_t microseconds) {
  (void)microseconds;
  pthread_testcancel();
  __hd_yield();
  return 0;
}

double difftime(time_t end, time_t start) { return (double)(end - start); }
