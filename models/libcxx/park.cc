/* Sleeping threads are entries on their own stacks, linked under one lock. */
#include "park.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "../hd_model.h"

namespace heddle {

namespace {

struct sleeper {
  sleeper *next;
  const int *word;
  bool woken;
  pthread_cond_t wake;
};

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* over `sleepers` and all entries */
sleeper *sleepers;
/* How many threads are in park(): lets unpark() pass without the lock. Written by park(), read by unpark(); sequentially consistent, so
 * that one of the two sees the other's write. */
int parked;

void unlink(sleeper *s) {
  for (sleeper **link = &sleepers; *link != nullptr; link = &(*link)->next) {
    if (*link != s) continue;
    *link = s->next;
    return;
  }
}

unsigned count_on(const int *word) {
  unsigned n = 0;
  for (sleeper *s = sleepers; s != nullptr; s = s->next) n += s->word == word;
  return n;
}

sleeper *nth_on(const int *word, unsigned n) {
  for (sleeper *s = sleepers; s != nullptr; s = s->next) {
    if (s->word == word && n-- == 0) return s;
  }
  return nullptr;
}

int sleep(sleeper *self, const timespec *until, clockid_t clock) {
  self->next = sleepers;
  sleepers = self;
  int code = 0;
  while (!self->woken && code == 0)
    code = until != nullptr ? pthread_cond_clockwait(&self->wake, &lock, clock, until) : pthread_cond_wait(&self->wake, &lock);
  if (self->woken) return 0;
  unlink(self);
  return code;
}

}  // namespace

int park(const int *word, int value, const timespec *until, clockid_t clock) {
  __atomic_add_fetch(&parked, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_lock(&lock);
  int code = EAGAIN;
  if (__atomic_load_n(word, __ATOMIC_SEQ_CST) == value) {
    sleeper self = {nullptr, word, false, PTHREAD_COND_INITIALIZER};
    code = sleep(&self, until, clock);
    pthread_cond_destroy(&self.wake);
  }
  pthread_mutex_unlock(&lock);
  __atomic_sub_fetch(&parked, 1, __ATOMIC_SEQ_CST);
  return code;
}

unsigned unpark(const int *word, unsigned count) {
  if (__atomic_load_n(&parked, __ATOMIC_SEQ_CST) == 0) return 0;
  unsigned woken = 0;
  pthread_mutex_lock(&lock);
  for (unsigned left = count_on(word); left > 0 && woken < count; left--, woken++) {
    sleeper *s = nth_on(word, count - woken < left ? __hd_choose(left) : 0);
    unlink(s);
    s->woken = true;
    pthread_cond_signal(&s->wake);
  }
  pthread_mutex_unlock(&lock);
  return woken;
}

}  // namespace heddle

/* The headers wait on atomics by system call. */
static long futex(const int *word, int operation, int value, va_list rest) {
  const clockid_t clock = (operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  const bool waits = (operation & FUTEX_CMD_MASK) == FUTEX_WAIT || (operation & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
  const timespec *time = waits ? va_arg(rest, const timespec *) : nullptr; /* others are called without it */
  timespec until;
  int code = ENOSYS;
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
      return heddle::unpark(word, static_cast<unsigned>(value));
    case FUTEX_WAIT: /* its limit is relative, on the steady clock */
      if (time == nullptr) {
        code = heddle::park(word, value, nullptr, clock);
        break;
      }
      clock_gettime(CLOCK_MONOTONIC, &until);
      until.tv_sec += time->tv_sec;
      until.tv_nsec += time->tv_nsec;
      if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
      }
      code = heddle::park(word, value, &until, CLOCK_MONOTONIC);
      break;
    case FUTEX_WAIT_BITSET:
      code = heddle::park(word, value, time, clock);
      break;
    default:
      __hd_unsupported("futex", "only FUTEX_WAIT, FUTEX_WAKE and their bitset forms are modelled");
  }
  if (code == 0) return 0;
  errno = code;
  return -1;
}

/* syscall(SYS_futex, ...) of models/libc/syscall.c. */
extern "C" long __hd_futex(const int *word, int operation, int value, va_list rest) { return futex(word, operation, value, rest); }
