/* A bounded queue of several producers and consumers after D. Vyukov: each cell has a turn. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
enum { SIZE = 8, ITEMS = 150, PAIRS = 2 };
static struct {
  atomic_uint turn;
  int value;
} cells[SIZE];
static atomic_uint put_at, get_at;
static atomic_long sum;
static void put(int value) {
  unsigned at = atomic_fetch_add_explicit(&put_at, 1, memory_order_relaxed);
  while (atomic_load_explicit(&cells[at % SIZE].turn, memory_order_acquire) != at / SIZE * 2) sched_yield();
  cells[at % SIZE].value = value;
#ifdef RACY
  atomic_store_explicit(&cells[at % SIZE].turn, at / SIZE * 2 + 1, memory_order_relaxed);
#else
  atomic_store_explicit(&cells[at % SIZE].turn, at / SIZE * 2 + 1, memory_order_release);
#endif
}
static int get(void) {
  unsigned at = atomic_fetch_add_explicit(&get_at, 1, memory_order_relaxed);
  while (atomic_load_explicit(&cells[at % SIZE].turn, memory_order_acquire) != at / SIZE * 2 + 1) sched_yield();
  int value = cells[at % SIZE].value;
  atomic_store_explicit(&cells[at % SIZE].turn, at / SIZE * 2 + 2, memory_order_release);
  return value;
}
static void *producer(void *argument) {
  for (int i = 1; i <= ITEMS; i++) put(i);
  return argument;
}
static void *consumer(void *argument) {
  for (int i = 1; i <= ITEMS; i++) atomic_fetch_add_explicit(&sum, get(), memory_order_relaxed);
  return argument;
}
int main(void) {
  pthread_t t[2 * PAIRS];
  for (int i = 0; i < 2 * PAIRS; i++) pthread_create(&t[i], NULL, i % 2 ? consumer : producer, NULL);
  for (int i = 0; i < 2 * PAIRS; i++) pthread_join(t[i], NULL);
  return sum != PAIRS * ITEMS * (ITEMS + 1) / 2;
}
