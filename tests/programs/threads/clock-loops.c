// Two threads that write for five seconds each: all orders of their looks at the clock are explored, which are few enough because time goes
// faster where a loop looks at it again and again.
// verdict: BUG
// options: --time=10
// finding: assertion A
// case: fixed -DFIXED
// verdict: SAFE
// options: --time=10
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int beats[2], ended;

static void *work(void *beat) {
  time_t start = time(0);
  while (time(0) - start < 5) atomic_store((atomic_int *)beat, 1);
  int before = atomic_fetch_add(&ended, 1);
#ifdef FIXED
  assert(before < 2);
#else
  assert(before == 0);  // @A
#endif
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, &beats[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
