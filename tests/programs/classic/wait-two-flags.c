// A thread spins until two flags differ, which they do for a moment only; the other one frees something afterwards, which is no reason to
// look at the moment less. The twin leaves the flags different.
// verdict: BUG
// options: --strategy=dpor
// finding: deadlock
// case: stays -DSTAYS
// verdict: SAFE
// options: --strategy=dpor
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int left, right;
static void *block;

static void *wait(void *argument) {
  while (atomic_load(&left) == atomic_load(&right)) continue;
  return argument;
}

static void *signal(void *argument) {
  atomic_store(&right, 1);
#ifndef STAYS
  atomic_store(&right, 0);
#endif
  free(block);
  return argument;
}

int main(void) {
  pthread_t t[2];
  block = malloc(4);
  pthread_create(&t[0], 0, wait, 0);
  pthread_create(&t[1], 0, signal, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
