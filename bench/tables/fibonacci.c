/* Fibonacci bench(N): two threads add each other's variable to their own N times; main looks, without waiting for them, whether one has
 * exceeded the largest sum that the orders of the additions allow, which is a Fibonacci number. Correct under SC; WRONG: the limit is one
 * too low. */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int i = 1, j = 1;

static void *left(void *unused) {
  (void)unused;
  for (int k = 0; k < N; k++) atomic_store(&i, atomic_load(&i) + atomic_load(&j));
  return 0;
}

static void *right(void *unused) {
  (void)unused;
  for (int k = 0; k < N; k++) atomic_store(&j, atomic_load(&j) + atomic_load(&i));
  return 0;
}

int main(void) {
  pthread_t thread[2];
  int limit = 1, before = 0; /* Fibonacci's number 2N + 2 */
  for (int k = 0; k < 2 * N + 1; k++) {
    int next = limit + before;
    before = limit;
    limit = next;
  }
#ifdef WRONG
  limit--;
#endif
  pthread_create(&thread[0], 0, left, 0);
  pthread_create(&thread[1], 0, right, 0);
  hd_assert(atomic_load(&i) <= limit && atomic_load(&j) <= limit);
  for (int k = 0; k < 2; k++) pthread_join(thread[k], 0);
  return 0;
}
