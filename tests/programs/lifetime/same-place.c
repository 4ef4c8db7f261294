// A late use of one call's local hits that of the next call, in the same place: the use after its end is found all the same.
// verdict: BUG
// options: --strategy=maximal
// finding: use-after-free A
// finding?: data-race
// case: dpor-sc
// verdict: BUG
// options: --strategy=dpor
// finding: use-after-free A
// finding?: data-race
// case: naive-sc
// verdict: BUG
// options: --strategy=naive
// finding: use-after-free A
// finding?: data-race
// case: fixed-maximal-sc -DFIXED
// verdict: SAFE
// options: --strategy=maximal
// case: fixed-dpor-sc -DFIXED
// verdict: SAFE
// options: --strategy=dpor
// case: fixed-naive-sc -DFIXED
// verdict: SAFE
// options: --strategy=naive
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int *_Atomic box;
static atomic_int steps;

static void *worker(void *argument) {
  (void)argument;
  atomic_int *x = atomic_load(&box);
  atomic_fetch_add(&steps, 1);
  if (x) atomic_store(x, 1);  // @A
  return NULL;
}

static void publish(void) {
  atomic_int flag;
  atomic_init(&flag, 0);
#ifndef FIXED
  atomic_store(&box, &flag);
#endif
  atomic_fetch_add(&steps, 1);
}

static void reuse(void) {
  atomic_int other;
  atomic_init(&other, 0);
  atomic_fetch_add(&steps, atomic_load(&other));
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  publish();
  reuse();
  pthread_join(t, NULL);
  return 0;
}
