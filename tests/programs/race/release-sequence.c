// A relaxed RMW continues the release sequence; a relaxed store by another thread does not.
// verdict: BUG
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>

static int payload;
static atomic_int state;

static void *sender(void *unused) {
  (void)unused;
  payload = 1;  // @A
  atomic_store_explicit(&state, 1, memory_order_release);
  return 0;
}

static void *relay(void *unused) {
  (void)unused;
#ifdef FIXED
  int expected = 1;
  atomic_compare_exchange_strong_explicit(&state, &expected, 2, memory_order_relaxed, memory_order_relaxed);
#else
  if (atomic_load_explicit(&state, memory_order_relaxed) == 1) atomic_store_explicit(&state, 2, memory_order_relaxed);
#endif
  return 0;
}

int main(void) {
  pthread_t t[2];
  int value = 1;
  pthread_create(&t[0], 0, sender, 0);
  pthread_create(&t[1], 0, relay, 0);
  if (atomic_load_explicit(&state, memory_order_acquire) == 2) value = payload;  // @B
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return value != 1;
}
