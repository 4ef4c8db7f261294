/* A sequence lock: readers try again if a writer came between. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
enum { ROUNDS = 300 };
static atomic_uint sequence;
#ifdef RACY
static int x, y;
#define GET(v) (v)
#define SET(v, n) ((v) = (n))
#else
static atomic_int x, y;
#define GET(v) atomic_load_explicit(&(v), memory_order_relaxed)
#define SET(v, n) atomic_store_explicit(&(v), n, memory_order_relaxed)
#endif
static void *writer(void *argument) {
  for (int i = 1; i <= ROUNDS; i++) {
    unsigned s = atomic_load_explicit(&sequence, memory_order_relaxed);
    atomic_store_explicit(&sequence, s + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    SET(x, i);
    SET(y, -i);
    atomic_store_explicit(&sequence, s + 2, memory_order_release);
    if (i % 16 == 0) sched_yield();
  }
  return argument;
}
static int read_sum(void) {
  for (;; sched_yield()) {
    unsigned s = atomic_load_explicit(&sequence, memory_order_acquire);
    int a = GET(x), b = GET(y);
    atomic_thread_fence(memory_order_acquire);
    if (s % 2 == 0 && atomic_load_explicit(&sequence, memory_order_relaxed) == s) return a + b;
  }
}
static void *reader(void *argument) {
  long sum = 0;
  for (int i = 0; i < ROUNDS; i++) sum += read_sum();
  return sum == 0 ? argument : NULL;
}
int main(void) {
  pthread_t t[3];
  void *result, *good = t;
  pthread_create(&t[0], NULL, writer, good);
  pthread_create(&t[1], NULL, reader, good);
  pthread_create(&t[2], NULL, reader, good);
  for (int i = 0; i < 3; i++)
    if (pthread_join(t[i], &result) || result != good) return 1;
  return 0;
}
