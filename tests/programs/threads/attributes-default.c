// Threads that are created without attributes have those that the program has made the default, with their masks of signals.
// verdict: SAFE
// case: race -DRACE
// verdict: BUG
// finding: assertion
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>

static size_t size_of_self(void) {
  pthread_attr_t a;
  size_t size = 0;
  assert(pthread_getattr_np(pthread_self(), &a) == 0 && pthread_attr_getstacksize(&a, &size) == 0);
  pthread_attr_destroy(&a);
  return size;
}

static void *is_big(void *unused) {
  sigset_t set;
  pthread_sigmask(SIG_SETMASK, 0, &set);
  assert(size_of_self() == 1 << 22 && sigismember(&set, SIGUSR2) && !sigismember(&set, SIGUSR1));
  return unused;
}

static void set_default(size_t size) {
  pthread_attr_t a;
  pthread_attr_init(&a);
  pthread_attr_setstacksize(&a, size);
  assert(pthread_setattr_default_np(&a) == 0);
  pthread_attr_destroy(&a);
}

static void *change(void *unused) {
  set_default(1 << 21);
  return unused;
}

static void *may_be_either(void *unused) {
  size_t size = size_of_self();
#ifdef RACE
  assert(size == 1 << 22);
#else
  assert(size == 1 << 22 || size == 1 << 21);
#endif
  return unused;
}

int main(void) {
  pthread_attr_t a;
  pthread_t t, u;
  sigset_t set;
  char stack[64];
  size_t size;
  pthread_attr_init(&a);
  pthread_attr_setstack(&a, stack, 1 << 22);
  assert(pthread_setattr_default_np(&a) == EINVAL);
  pthread_attr_destroy(&a);
  pthread_attr_init(&a);
  pthread_attr_setstacksize(&a, 1 << 22);
  sigemptyset(&set);
  assert(pthread_attr_getsigmask_np(&a, &set) == PTHREAD_ATTR_NO_SIGMASK_NP);
  sigaddset(&set, SIGUSR2);
  pthread_attr_setsigmask_np(&a, &set);
  assert(pthread_setattr_default_np(&a) == 0);
  pthread_attr_destroy(&a);
  assert(pthread_getattr_default_np(&a) == 0 && pthread_attr_getstacksize(&a, &size) == 0 && size == 1 << 22);
  pthread_attr_destroy(&a);
  pthread_create(&t, 0, is_big, 0);
  pthread_join(t, 0);
  pthread_create(&u, 0, change, 0);
  pthread_create(&t, 0, may_be_either, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
