// Message passing with relaxed accesses and fences; without the reader's fence it is a race.
// verdict: BUG
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>

static int payload;
static atomic_int ready;

static void *sender(void *unused) {
  (void)unused;
  payload = 1;  // @A
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t t;
  int value = 1;
  pthread_create(&t, 0, sender, 0);
  if (atomic_load_explicit(&ready, memory_order_relaxed)) {
#ifdef FIXED
    atomic_thread_fence(memory_order_acquire);
#endif
    value = payload;  // @B
  }
  pthread_join(t, 0);
  return value != 1;
}
