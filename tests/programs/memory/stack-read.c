// Reads a local array at an index that comes from another thread.
// verdict: BUG
// finding: out-of-bounds A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>

static atomic_int position;

static void *mover(void *unused) {
  (void)unused;
  atomic_fetch_add(&position, 1);
  atomic_fetch_add(&position, 1);
#ifdef FIXED
  atomic_fetch_and(&position, 3);
#else
  atomic_fetch_add(&position, 2);
#endif
  return 0;
}

int main(void) {
  pthread_t t;
  int table[4] = {1, 2, 3, 4};
  if (pthread_create(&t, 0, mover, 0)) return 0;
  int at = atomic_load(&position);
  int value = table[at];  // @A
  pthread_join(t, 0);
  return value < 1;
}
