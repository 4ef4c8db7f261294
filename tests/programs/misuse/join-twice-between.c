// Two threads join a third one: whichever comes second is wrong. The third ends without a step of its own, or with one; joins that try or
// wait for a time count as well.
// verdict: BUG
// finding: thread-misuse A
// finding: thread-misuse B
// case: dpor
// options: --strategy=dpor
// verdict: BUG
// finding: thread-misuse A
// finding: thread-misuse B
// case: steps -DSTEP
// verdict: BUG
// finding: thread-misuse A
// finding: thread-misuse B
// case: tries -DSTEP -DTRIES
// verdict: BUG
// finding: thread-misuse A
// finding: thread-misuse B
// case: waits -DSTEP -DWAITS
// verdict: BUG
// finding: thread-misuse A
// finding: thread-misuse B
// case: fixed -DFIXED -DSTEP
// verdict: SAFE
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>

static pthread_t worker;
static atomic_int steps;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int joined;

static void *work(void *unused) {
#ifdef STEP
  steps++;
#endif
  return unused;
}

static int mine(void) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
  int first = !joined;
  joined = 1;
  pthread_mutex_unlock(&lock);
  return first;
#else
  return 1;
#endif
}

static void *other(void *unused) {
#ifdef TRIES
#define pthread_join pthread_tryjoin_np
#endif
  if (mine()) pthread_join(worker, 0);  // @A
#undef pthread_join
  return unused;
}

int main(void) {
  pthread_t t;
  static const struct timespec soon;
  (void)soon, (void)mine, (void)joined, (void)lock, (void)steps;
  pthread_create(&worker, 0, work, 0);
  pthread_create(&t, 0, other, 0);
#ifdef WAITS
#define pthread_join(t, r) pthread_timedjoin_np(t, r, &soon)
#endif
  if (mine()) pthread_join(worker, 0);  // @B
#undef pthread_join
  pthread_join(t, 0);
  return 0;
}
