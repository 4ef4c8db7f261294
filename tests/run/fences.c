/* finds: data race A B; fixed: nothing. Fences order relaxed atomics: with both of them there is no race, with one there is. */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *receive(void *argument) {
  while (!atomic_load_explicit(&flag, memory_order_relaxed)) continue;
  atomic_thread_fence(memory_order_acquire);
  return data ? argument : NULL; /* @B */
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, receive, NULL);
  data = 1; /* @A */
#ifdef FIXED
  atomic_thread_fence(memory_order_release);
#endif
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  pthread_join(t, NULL);
  return 0;
}
