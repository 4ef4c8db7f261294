// Store buffering: each thread writes its variable and reads the other's. Under sequential consistency not both reads miss:
// three traces.
// verdict: SAFE
// memory: sc
// options: --strategy=dpor
// executions: 3
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, a, b;

static void *left(void *unused) {
  (void)unused;
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&a, atomic_load_explicit(&y, memory_order_relaxed), memory_order_relaxed);
  return 0;
}

static void *right(void *unused) {
  (void)unused;
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_store_explicit(&b, atomic_load_explicit(&x, memory_order_relaxed), memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, left, 0);
  pthread_create(&t[1], 0, right, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  hd_assert(atomic_load(&a) || atomic_load(&b));
  return 0;
}
