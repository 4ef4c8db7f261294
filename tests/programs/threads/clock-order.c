// Two threads sleep, one for a time and one until a time, and look at the clock: who looks first decides how late it is in the end.
// verdict: BUG
// finding: assertion A
// case: dpor
// verdict: BUG
// options: --strategy=dpor
// finding: assertion A
// case: naive
// verdict: BUG
// options: --strategy=naive
// finding: assertion A
// case: fixed -DFIXED
// verdict: SAFE
// case: fixed-naive -DFIXED
// verdict: SAFE
// options: --strategy=naive
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

enum { BEGIN = 1704067200 }; /* the date at which programs under test begin */

static void *sleep_for(void *x) {
  sleep(5);
  time(0);
  return x;
}

static void *sleep_until(void *x) {
  struct timespec until = {BEGIN + 3, 0};
  clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, 0);
  time(0);
  return x;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, sleep_for, 0);
  pthread_create(&b, 0, sleep_until, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
#ifdef FIXED
  assert(time(0) >= BEGIN + 5 && time(0) <= BEGIN + 8);
#else
  assert(time(0) < BEGIN + 7);  // @A
#endif
}
