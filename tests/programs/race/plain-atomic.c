// One side uses an atomic store, the other a plain read of the same location.
// verdict: BUG
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static int flag;

static void *setter(void *unused) {
  (void)unused;
  __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);  // @A
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, setter, 0);
#ifdef FIXED
  int seen = __atomic_load_n(&flag, __ATOMIC_SEQ_CST);
#else
  int seen = flag;  // @B
#endif
  pthread_join(t, 0);
  return seen > 1;
}
