/* A bounded buffer: one mutex, two conditions, two predicates, and an end. */
#include <pthread.h>
#include <stdbool.h>
enum { SIZE = 4, ITEMS = 120, CONSUMERS = 2 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int buffer[SIZE], count, first;
static bool closed;
static long sums[CONSUMERS];
static void put(int value) {
  pthread_mutex_lock(&m);
  while (count == SIZE) pthread_cond_wait(&not_full, &m);
  buffer[(first + count++) % SIZE] = value;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&m);
}
static bool get(int *value) {
  pthread_mutex_lock(&m);
  while (count == 0 && !closed) pthread_cond_wait(&not_empty, &m);
  bool any = count > 0;
  if (any) *value = buffer[first], first = (first + 1) % SIZE, count--;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&m);
  return any;
}
static void *consume(void *sum) {
  for (int value; get(&value);) *(long *)sum += value;
  return NULL;
}
int main(void) {
  pthread_t t[CONSUMERS];
  for (int i = 0; i < CONSUMERS; i++) pthread_create(&t[i], NULL, consume, &sums[i]);
  for (int i = 0; i < ITEMS; i++) put(i);
#ifdef RACY
  closed = true;
  pthread_cond_broadcast(&not_empty);
#else
  pthread_mutex_lock(&m);
  closed = true;
  pthread_cond_broadcast(&not_empty);
  pthread_mutex_unlock(&m);
#endif
  for (int i = 0; i < CONSUMERS; i++) pthread_join(t[i], NULL);
  return sums[0] + sums[1] != ITEMS * (ITEMS - 1) / 2;
}
