// fib_bench(N): two threads add each other's number; the largest sum is a Fibonacci number. The buggy twin's bound is one too low.
// verdict: SAFE
// options: --strategy=dpor
// executions: 19
// case: low -DBOUND=8
// verdict: BUG
// options: --strategy=dpor
// finding: assertion A
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
#ifndef BOUND
#define BOUND 9 /* more than the largest sum, 8, can reach */
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
  pthread_t t[2];
  pthread_create(&t[0], 0, left, 0);
  pthread_create(&t[1], 0, right, 0);
  for (int k = 0; k < 2; k++) pthread_join(t[k], 0);
  int high = atomic_load(&i) > atomic_load(&j) ? atomic_load(&i) : atomic_load(&j);
  assert(high < BOUND);  // @A
  return 0;
}
