// A loop that goes on for some time, and writes what others could see, comes to its end: what lies behind it is explored.
// verdict: BUG
// finding: assertion A
// case: dpor
// verdict: BUG
// options: --strategy=dpor
// finding: assertion A
// case: fixed -DFIXED
// verdict: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int beat, set;

static void *watch(void *x) {
  time_t start = time(0);
  while (time(0) - start < 5) beat = 1;
#ifdef FIXED
  assert(set <= 1);
#else
  assert(set == 0);  // @A
#endif
  return x;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, watch, 0);
  set = 1;
  pthread_join(t, 0);
  return 0;
}
