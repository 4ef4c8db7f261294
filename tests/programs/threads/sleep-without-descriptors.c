// Programs sleep by select() and poll() without descriptors: others run meanwhile, and it is later afterwards.
// verdict: SAFE
// case: race -DRACE
// verdict: BUG
// finding: data-race
// finding?: assertion
// case: for-ever -DFOR_EVER
// verdict: BOUNDED
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/select.h>
#include <time.h>

static int value;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *work(void *unused) {
  value = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  double begin = now();
  struct timeval short_time = {0, 20000};
  assert(select(0, 0, 0, 0, &short_time) == 0 && now() - begin >= 0.02);
  assert(poll(0, 0, 30) == 0 && now() - begin >= 0.05);
  struct timespec bad = {0, -1};
  errno = 0;
  assert(pselect(0, 0, 0, 0, &bad, 0) == -1 && errno == EINVAL);
  pthread_create(&t, 0, work, 0);
#ifdef FOR_EVER
  poll(0, 0, -1);
#endif
#ifdef RACE
  poll(0, 0, 1000);
  assert(value == 1); /* sleeping orders nothing */
#endif
  pthread_join(t, 0);
  assert(value == 1);
}
