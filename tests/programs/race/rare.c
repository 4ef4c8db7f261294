// A race that only one of several interleavings of a protocol reaches.
// verdict: BUG
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;
static int data;

static void *first(void *unused) {
  (void)unused;
  atomic_store(&x, 1);
  if (atomic_load(&y) == 1 && atomic_load(&z) == 0) data = 1;  // @A
  return 0;
}

static void *second(void *unused) {
  (void)unused;
  if (atomic_load(&x) == 1) {
    atomic_store(&y, 1);
    atomic_store(&z, 1);
#ifdef FIXED
    int seen = 0;
#else
    int seen = data;  // @B
#endif
    return seen > 1 ? unused : 0;
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
