/* A ring between one producer and one consumer, without locks. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
enum { SIZE = 8, ITEMS = 400 };
static struct {
  int number;
  char text[12];
} ring[SIZE];
static atomic_uint head, tail;
#ifdef RACY
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif
static void *produce(void *argument) {
  for (unsigned i = 0; i < ITEMS; i++) {
    while (i - atomic_load_explicit(&head, memory_order_acquire) == SIZE) sched_yield();
    ring[i % SIZE].number = (int)i;
    ring[i % SIZE].text[i % 12] = (char)i;
    atomic_store_explicit(&tail, i + 1, PUBLISH);
  }
  return argument;
}
int main(void) {
  pthread_t t;
  long sum = 0;
  pthread_create(&t, NULL, produce, NULL);
  for (unsigned i = 0; i < ITEMS; i++) {
    while (atomic_load_explicit(&tail, memory_order_acquire) == i) sched_yield();
    sum += ring[i % SIZE].number + (ring[i % SIZE].text[i % 12] - (char)i);
    atomic_store_explicit(&head, i + 1, memory_order_release);
  }
  pthread_join(t, NULL);
  return sum != ITEMS * (ITEMS - 1) / 2;
}
