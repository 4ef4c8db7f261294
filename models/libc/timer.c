/* Timers. Arming one starts a thread that sleeps until it expires; what that thread does then, it does in one section with its look at
 * whether the timer is still armed as it was: after timer_settime() or timer_delete() nothing comes of what was armed before. A sleep lasts
 * at least its time, so that a timer is late by whatever the other threads do; no expiry is missed, and overruns are none.
 *
 * No lock: handlers of signals may arm timers. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "settings.h"

enum { TIMERS = 32, ALARM = 0, MEGA = 1000000 };

/* Atomics: the threads of an earlier arming may look while the timer is set. */
struct timer {
  int exists, notify, number;
  clockid_t clock;
  void (*function)(union sigval value);
  void *value;
  uint64_t generation;             /* odd: armed */
  uint64_t delay, until, interval; /* nanoseconds; an absolute time is `until`, and has no delay */
  bool has_attributes;             /* such a place is not used again: threads may still be created with them */
  pthread_attr_t attributes;
};

/* The first is alarm()'s and setitimer()'s. The machine knows by this variable that the program has timers (src/machine/library/bind.c). */
static struct timer posix_timers[TIMERS] = {{.exists = 1, .notify = SIGEV_SIGNAL, .number = SIGALRM}};

#define GET(field)        __atomic_load_n(&(field), __ATOMIC_RELAXED)
#define SET(field, value) __atomic_store_n(&(field), (value), __ATOMIC_RELAXED)

struct setting {
  uint64_t delay, until, interval;
};

/* --- the thread of one arming --- */

static void start_thread(pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
  pthread_t thread;
  pthread_attr_t own;
  struct hd_attributes_more more = {.has_signals = true, .signals = ~0ul};
  if (!attributes) {
    pthread_attr_init(&own);
    pthread_attr_setdetachstate(&own, PTHREAD_CREATE_DETACHED);
    ((struct hd_attributes *)&own)->more = &more;
  }
  if (pthread_create(&thread, attributes ? attributes : &own, run, argument)) __hd_unsupported("a timer", "there is no room for its thread");
}

static void unblock_all(void) {
  sigset_t none = {0};
  pthread_sigmask(SIG_SETMASK, &none, NULL);
}

/* It takes signals as any other thread does. */
static void *notify(void *at) {
  struct timer *timer = at;
  void (*function)(union sigval) = GET(timer->function);
  union sigval value = {.sival_ptr = GET(timer->value)};
  unblock_all();
  function(value);
  return NULL;
}

/* Is the timer armed as it was for this thread? Then this is an expiry. */
static bool expire(struct timer *timer, uint64_t generation) {
  __hd_atomic_begin();
  bool armed = __atomic_load_n(&timer->generation, __ATOMIC_ACQUIRE) == generation;
  if (armed && !GET(timer->interval)) __atomic_store_n(&timer->generation, generation + 1, __ATOMIC_SEQ_CST);
  if (armed && GET(timer->notify) == SIGEV_SIGNAL) __hd_kill(GET(timer->number));
  __hd_atomic_end();
  return armed;
}

/* The argument: which arming of which timer. */
static void *run_timer(void *argument) {
  struct timer *timer = &posix_timers[(uintptr_t)argument % TIMERS];
  uint64_t generation = (uintptr_t)argument / TIMERS;
  uint64_t delay = GET(timer->delay), until = GET(timer->until), interval = GET(timer->interval);
  do {
    __hd_sleep();
    __hd_slept(delay, until);
    if (!expire(timer, generation)) break;
    if (GET(timer->notify) == SIGEV_THREAD) start_thread(timer->has_attributes ? &timer->attributes : NULL, notify, timer);
    delay = interval, until = 0;
  } while (interval);
  return NULL;
}

/* --- setting --- */

static struct setting setting_of(const struct timer *timer) {
  if (!(GET(timer->generation) & 1)) return (struct setting){0};
  return (struct setting){GET(timer->delay), GET(timer->until), GET(timer->interval)};
}

static void set(struct timer *timer, bool arm, struct setting wish, struct setting *old) {
  __hd_atomic_begin();
  uint64_t generation = __atomic_load_n(&timer->generation, __ATOMIC_ACQUIRE) + 1;
  *old = setting_of(timer);
  generation = arm ? generation | 1 : generation & ~1ull;
  SET(timer->delay, wish.delay);
  SET(timer->until, wish.until);
  SET(timer->interval, wish.interval);
  __atomic_store_n(&timer->generation, generation, __ATOMIC_SEQ_CST);
  bool quiet = GET(timer->notify) == SIGEV_NONE;
  __hd_atomic_end();
  if (arm && !quiet) start_thread(NULL, run_timer, (void *)(uintptr_t)(generation * TIMERS + (uint64_t)(timer - posix_timers)));
}

/* How long it has yet to go: all of its time, since it may have been set just now. */
static uint64_t remaining(const struct setting *setting) {
  if (!setting->until) return setting->delay;
  uint64_t now = __hd_time();
  return setting->until > now ? setting->until - now : 1;
}

static struct timer *find(timer_t id) {
  uintptr_t i = (uintptr_t)id;
  if (i > ALARM && i < TIMERS && GET(posix_timers[i].exists)) return &posix_timers[i];
  HD_ERRNO = EINVAL;
  return NULL;
}

static uint64_t nanoseconds(const struct timespec *time) {
  uint64_t seconds = (uint64_t)time->tv_sec;
  return (seconds < UINT64_MAX / HD_GIGA / 2 ? seconds * HD_GIGA : UINT64_MAX / 2) + (uint64_t)time->tv_nsec;
}
static struct timespec timespec_of(uint64_t time) { return (struct timespec){(time_t)(time / HD_GIGA), (long)(time % HD_GIGA)}; }
static bool is_time(const struct timespec *time) { return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < HD_GIGA; }

static struct itimerspec told(const struct setting *setting) {
  return (struct itimerspec){.it_interval = timespec_of(setting->interval), .it_value = timespec_of(remaining(setting))};
}

int timer_settime(timer_t id, int flags, const struct itimerspec *restrict wish, struct itimerspec *restrict old) {
  struct timer *timer = find(id);
  if (!timer) return -1;
  if (!is_time(&wish->it_value) || !is_time(&wish->it_interval)) return HD_ERRNO = EINVAL, -1;
  uint64_t value = nanoseconds(&wish->it_value);
  bool arm = value;
  struct setting setting = {.interval = nanoseconds(&wish->it_interval)}, before;
  if (flags & TIMER_ABSTIME) {
    uint64_t epoch = GET(timer->clock) == CLOCK_REALTIME || GET(timer->clock) == CLOCK_TAI ? (uint64_t)HD_EPOCH * HD_GIGA : 0;
    setting.until = value > epoch ? value - epoch : 1;
  } else {
    setting.delay = value;
  }
  set(timer, arm, setting, &before);
  if (old) *old = told(&before);
  return 0;
}

int timer_gettime(timer_t id, struct itimerspec *now) {
  struct timer *timer = find(id);
  if (!timer) return -1;
  __hd_atomic_begin();
  struct setting setting = setting_of(timer);
  __hd_atomic_end();
  *now = told(&setting);
  return 0;
}

int timer_getoverrun(timer_t id) { return find(id) ? 0 : -1; }

/* --- timers that come and go --- */

static struct timer *claim(void) {
  for (unsigned i = ALARM + 1; i < TIMERS; i++) {
    int none = 0;
    if (posix_timers[i].has_attributes) continue;
    if (__atomic_compare_exchange_n(&posix_timers[i].exists, &none, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return &posix_timers[i];
  }
  HD_ERRNO = EAGAIN;
  return NULL;
}

/* A signal that is pending has no value of its own, so all timers that send it have to have the same. */
static void check_values(const struct timer *timer, int number, void *value) {
  for (unsigned i = 0; i < TIMERS; i++) {
    const struct timer *other = &posix_timers[i];
    if (other == timer || i == ALARM || !GET(other->exists) || GET(other->notify) != SIGEV_SIGNAL) continue;
    if (GET(other->number) == number && GET(other->value) != value)
      __hd_unsupported("timer_create", "timers that send one signal with several values are not modelled");
  }
}

static bool is_wanted(clockid_t clock, const struct sigevent *event) {
  if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID) __hd_unsupported("timer_create", "what a thread computes takes no time");
  if (event->sigev_notify == SIGEV_THREAD_ID) __hd_unsupported("timer_create", "signals of timers go to the process, not to one thread");
  bool known = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME || clock == CLOCK_TAI;
  bool signal = event->sigev_notify == SIGEV_SIGNAL;
  return known && (signal || event->sigev_notify == SIGEV_NONE || event->sigev_notify == SIGEV_THREAD) &&
         (!signal || (event->sigev_signo > 0 && event->sigev_signo <= SIGRTMAX));
}

int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict id) {
  struct sigevent usual = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM}, wish = event ? *event : usual;
  if (!is_wanted(clock, &wish)) return HD_ERRNO = EINVAL, -1;
  struct timer *timer = claim();
  if (!timer) return -1;
  uintptr_t i = (uintptr_t)(timer - posix_timers);
  if (!event) wish.sigev_value.sival_ptr = (void *)i;
  bool sends = wish.sigev_notify == SIGEV_SIGNAL, starts = wish.sigev_notify == SIGEV_THREAD;
  __hd_atomic_begin();
  SET(timer->clock, clock);
  SET(timer->notify, wish.sigev_notify);
  SET(timer->number, wish.sigev_signo);
  SET(timer->value, wish.sigev_value.sival_ptr);
  if (starts) SET(timer->function, wish.sigev_notify_function);
  if (sends) check_values(timer, wish.sigev_signo, wish.sigev_value.sival_ptr);
  if (sends) __hd_signal_timed(wish.sigev_signo, wish.sigev_value.sival_ptr);
  __hd_atomic_end();
  if (starts && wish.sigev_notify_attributes) {
    timer->attributes = *wish.sigev_notify_attributes;
    pthread_attr_setdetachstate(&timer->attributes, PTHREAD_CREATE_DETACHED);
    ((struct hd_attributes *)&timer->attributes)->more = NULL; /* memory of the program's */
    timer->has_attributes = true;
  }
  *id = (timer_t)i;
  return 0;
}

int timer_delete(timer_t id) {
  struct timer *timer = find(id);
  struct setting old;
  if (!timer) return -1;
  set(timer, false, (struct setting){0}, &old);
  __atomic_store_n(&timer->exists, 0, __ATOMIC_RELEASE);
  return 0;
}

/* --- the process's one --- */

static uint64_t set_alarm(uint64_t delay, uint64_t interval) {
  struct setting old;
  set(&posix_timers[ALARM], delay, (struct setting){.delay = delay, .interval = interval}, &old);
  return old.delay;
}

unsigned alarm(unsigned seconds) { return (unsigned)((set_alarm((uint64_t)seconds * HD_GIGA, 0) + HD_GIGA - 1) / HD_GIGA); }

useconds_t ualarm(useconds_t delay, useconds_t interval) { return (useconds_t)(set_alarm(delay * 1000ull, interval * 1000ull) / 1000); }

static bool is_timeval(const struct timeval *time) { return time->tv_sec >= 0 && time->tv_usec >= 0 && time->tv_usec < MEGA; }
static struct timespec timespec_for(const struct timeval *time) { return (struct timespec){time->tv_sec, time->tv_usec * 1000}; }
static struct timeval timeval_of(uint64_t time) {
  return (struct timeval){(time_t)(time / HD_GIGA), (suseconds_t)(time % HD_GIGA / 1000)};
}

static bool is_real(const char *name, __itimer_which_t which) {
  if (which == ITIMER_VIRTUAL || which == ITIMER_PROF) __hd_unsupported(name, "what a thread computes takes no time");
  if (which != ITIMER_REAL) HD_ERRNO = EINVAL;
  return which == ITIMER_REAL;
}

int setitimer(__itimer_which_t which, const struct itimerval *restrict wish, struct itimerval *restrict old) {
  if (!is_real("setitimer", which)) return -1;
  if (!is_timeval(&wish->it_value) || !is_timeval(&wish->it_interval)) return HD_ERRNO = EINVAL, -1;
  struct timespec value = timespec_for(&wish->it_value), interval = timespec_for(&wish->it_interval);
  struct setting setting = {.delay = nanoseconds(&value), .interval = nanoseconds(&interval)}, before;
  set(&posix_timers[ALARM], setting.delay, setting, &before);
  if (old) *old = (struct itimerval){.it_interval = timeval_of(before.interval), .it_value = timeval_of(before.delay)};
  return 0;
}

int getitimer(__itimer_which_t which, struct itimerval *now) {
  if (!is_real("getitimer", which)) return -1;
  __hd_atomic_begin();
  struct setting setting = setting_of(&posix_timers[ALARM]);
  __hd_atomic_end();
  *now = (struct itimerval){.it_interval = timeval_of(setting.interval), .it_value = timeval_of(setting.delay)};
  return 0;
}
