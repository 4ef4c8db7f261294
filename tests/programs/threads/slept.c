// Who has slept sees a later time: as much later as he slept, however the others look at the clock meanwhile. Threads that sleep in a loop until
// something happens still come back to the state that they were in.
// verdict: SAFE
// case: too-long -DLATER=3050000000
// verdict: BUG
// finding: assertion A
// case: naive
// verdict: SAFE
// options: --strategy=naive
// case: loop -DLOOP
// verdict: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#ifndef LATER
#define LATER 3000000000
#endif

static atomic_int done;

static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000 + t.tv_nsec;
}

static void *other(void *unused) {
  (void)now();
  done = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
#ifdef LOOP
  while (!done) usleep(10);
#else
  long begin = now();
  struct timespec until = {.tv_sec = begin / 1000000000 + 3, .tv_nsec = begin % 1000000000};
  sleep(1);
  nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 500000000}, NULL);
  usleep(500000);
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
  long passed = now() - begin;
  assert(passed >= LATER && passed < 3100000000); // @A
#endif
  pthread_join(thread, NULL);
}
