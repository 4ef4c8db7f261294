// A symbolic value waits in a store buffer: its thread sees it, the other does not, and what the other sees later depends on it.
// memory: tso
// verdict: BUG
// finding: assertion seen
// case: unfolding
// memory: tso
// options: --strategy=unfolding
// verdict: BUG
// finding: assertion seen
// case: pso
// memory: pso
// verdict: BUG
// finding: assertion seen
// case: sc
// memory: sc
// verdict: SAFE
// case: own -DOWN
// memory: tso
// verdict: SAFE
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint x, y;
static unsigned r0, r1, own;

static void *one(void *p) {
  unsigned key;
  hd_symbolic(&key, sizeof key, "key");
  atomic_store_explicit(&x, key * 3 + 1, memory_order_relaxed);
  own = atomic_load_explicit(&x, memory_order_relaxed) - key * 3;
  r0 = atomic_load_explicit(&y, memory_order_relaxed);
  return p;
}

static void *two(void *p) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  r1 = atomic_load_explicit(&x, memory_order_relaxed);
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
#ifdef OWN
  hd_assert(own == 1);
#else
  unsigned now = atomic_load_explicit(&x, memory_order_relaxed);
  hd_assert(!(now == 0xabcdef && r0 == 0 && r1 == 0)); /* @seen */
#endif
  return 0;
}
