// A loop that waits for a flag and gives up when its time is over: time passes while it waits, so that it does not wait for ever.
// verdict: SAFE
// case: in-place -DIN_PLACE
// verdict: SAFE
// case: in-place-hasty -DIN_PLACE -DHASTY
// verdict: BUG
// finding: assertion A
// case: hasty -DHASTY
// verdict: BUG
// finding: assertion A
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int flag;

static void *work(void *unused) {
  atomic_store(&flag, 1);
  return unused;
}

static time_t seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  time_t end = seconds() + 2;
#ifdef IN_PLACE /* what the clock says lies in memory that changes all the time */
  struct timespec now;
  do {
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while (!atomic_load(&flag) && now.tv_sec < end);
#else
  while (!atomic_load(&flag) && seconds() < end) {
  }
#endif
#ifdef HASTY
  hd_assert(atomic_load(&flag));  // @A
#endif
  pthread_join(t, 0);
  return 0;
}
