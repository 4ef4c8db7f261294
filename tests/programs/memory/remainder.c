// A remainder by a number that another thread resets.
// verdict: BUG
// finding: division-by-zero A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint buckets = 4;

static void *resize(void *unused) {
  (void)unused;
#ifdef FIXED
  atomic_store(&buckets, 8);
#else
  atomic_store(&buckets, 0);
  atomic_store(&buckets, 8);
#endif
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, resize, 0);
  unsigned slot = 13 % atomic_load(&buckets);  // @A
  pthread_join(t, 0);
  return slot > 7;
}
