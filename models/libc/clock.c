/* Clocks and sleeping. Time is what the machine counts, from a fixed date; sleeping is letting others run, and seeing a later time behind it. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"


static bool is_wall(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI; }

static int read_clock(clockid_t clock, struct timespec *to) {
  uint64_t now = __hd_time();
  if (clock < 0 || clock > CLOCK_TAI) return HD_ERRNO = EINVAL, -1;
  *to = (struct timespec){.tv_sec = (time_t)(now / HD_GIGA) + (is_wall(clock) ? HD_EPOCH : 0), .tv_nsec = (long)(now % HD_GIGA)};
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
  clock_t ticks = (clock_t)(__hd_time() / (HD_GIGA / 100));
  if (to) *to = (struct tms){.tms_utime = ticks};
  return ticks;
}

int getrusage(__rusage_who_t who, struct rusage *to) {
  uint64_t now = __hd_time();
  (void)who;
  *to = (struct rusage){.ru_utime = {(time_t)(now / HD_GIGA), (suseconds_t)(now % HD_GIGA / 1000)}};
  return 0;
}

/* False: a signal's handler has interrupted it. */
static bool sleep_until(uint64_t nanoseconds, uint64_t until) {
  pthread_testcancel();
  if (!__hd_sleep()) return false;
  __hd_slept(nanoseconds, until);
  return true;
}

static uint64_t in_nanoseconds(uint64_t seconds) { return seconds < UINT64_MAX / HD_GIGA ? seconds * HD_GIGA : UINT64_MAX / 2; }

static bool is_time(const struct timespec *wish) { return wish->tv_sec >= 0 && wish->tv_nsec >= 0 && wish->tv_nsec < HD_GIGA; }

static int sleep_for(const struct timespec *wish, struct timespec *rest) {
  if (!is_time(wish)) return EINVAL;
  bool slept = sleep_until(in_nanoseconds((uint64_t)wish->tv_sec) + (uint64_t)wish->tv_nsec, 0);
  if (slept && rest) *rest = (struct timespec){0, 0};
  if (!slept && rest) *rest = *wish; /* it may have come at once */
  return slept ? 0 : EINTR;
}

int nanosleep(const struct timespec *wish, struct timespec *rest) {
  int error = sleep_for(wish, rest);
  if (error) HD_ERRNO = error;
  return error ? -1 : 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wish, struct timespec *rest) {
  if (!(flags & TIMER_ABSTIME)) return sleep_for(wish, rest);
  if (!is_time(wish)) return EINVAL;
  uint64_t seconds = (uint64_t)wish->tv_sec;
  if (is_wall(clock)) seconds = seconds > HD_EPOCH ? seconds - HD_EPOCH : 0;
  return sleep_until(0, in_nanoseconds(seconds) + (uint64_t)wish->tv_nsec) ? 0 : EINTR;
}

unsigned sleep(unsigned seconds) {
  return sleep_until(in_nanoseconds(seconds), 0) ? 0 : seconds;
}

int usleep(useconds_t microseconds) {
  if (sleep_until(microseconds * 1000ull, 0)) return 0;
  return HD_ERRNO = EINTR, -1;
}

/* Programs sleep by waiting for no descriptor at all. Waiting for some is not modelled; nor is another mask of signals meanwhile. */
static int wait_for_none(const char *function, bool none, bool mask, bool timed, const struct timespec *time) {
  if (!none) __hd_unsupported(function, "waiting for descriptors is not modelled, only sleeping without any");
  if (mask) __hd_unsupported(function, "waiting with another mask of signals is not modelled");
  if (!timed) return pause();
  int error = sleep_for(time, NULL);
  if (error) HD_ERRNO = error;
  return error ? -1 : 0;
}

int select(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict except, struct timeval *restrict time) {
  struct timespec wish = {0, 0};
  if (time) wish = (struct timespec){time->tv_sec + time->tv_usec / 1000000, time->tv_usec % 1000000 * 1000};
  int result = wait_for_none("select", n == 0 || (!in && !out && !except), false, time != NULL, &wish);
  if (result == 0 && time) *time = (struct timeval){0, 0};
  return result;
}

int pselect(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict except, const struct timespec *restrict time,
            const sigset_t *restrict mask) {
  return wait_for_none("pselect", n == 0 || (!in && !out && !except), mask != NULL, time != NULL, time);
}

int poll(struct pollfd *list, nfds_t n, int milliseconds) {
  struct timespec wish = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  return (void)list, wait_for_none("poll", n == 0, false, milliseconds >= 0, &wish);
}

int ppoll(struct pollfd *list, nfds_t n, const struct timespec *time, const sigset_t *mask) {
  return (void)list, wait_for_none("ppoll", n == 0, mask != NULL, time != NULL, time);
}

double difftime(time_t end, time_t start) { return (double)(end - start); }
