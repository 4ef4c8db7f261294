// The pointer is atomic but relaxed: what it points to is not ordered.
// verdict: BUG
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
#define PUBLISH memory_order_release
#define OBSERVE memory_order_acquire
#else
#define PUBLISH memory_order_relaxed
#define OBSERVE memory_order_relaxed
#endif

static int payload;
static _Atomic(int *) pointer;

static void *publisher(void *unused) {
  (void)unused;
  payload = 7;  // @A
  atomic_store_explicit(&pointer, &payload, PUBLISH);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, publisher, 0);
  int *p = atomic_load_explicit(&pointer, OBSERVE);
  int value = 7;
  if (p) value = *p;  // @B
  pthread_join(t, 0);
  return value != 7;
}
