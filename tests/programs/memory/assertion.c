// assert() of a sum that is lost in one interleaving.
// verdict: BUG
// finding: assertion A
// case: fixed -DFIXED
// verdict: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *increment(void *unused) {
  (void)unused;
#ifdef FIXED
  atomic_fetch_add(&count, 1);
#else
  int seen = atomic_load(&count);
  atomic_store(&count, seen + 1);
#endif
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, increment, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(atomic_load(&count) == 2);  // @A
  return 0;
}
