// A thread that waits for a flag of a function that has returned looks at what is no longer there.
// verdict: BUG
// options: --strategy=maximal
// finding: use-after-free A
// finding?: data-race
// case: maximal-tso
// verdict: BUG
// options: --strategy=maximal
// memory: tso
// finding: use-after-free A
// finding?: data-race
// case: dpor-sc
// verdict: BUG
// options: --strategy=dpor
// finding: use-after-free A
// finding?: data-race
// case: dpor-tso
// verdict: BUG
// options: --strategy=dpor
// memory: tso
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
// case: fixed-maximal-tso -DFIXED
// verdict: SAFE
// options: --strategy=maximal
// memory: tso
// case: fixed-dpor-sc -DFIXED
// verdict: SAFE
// options: --strategy=dpor
// case: fixed-dpor-tso -DFIXED
// verdict: SAFE
// options: --strategy=dpor
// memory: tso
// case: fixed-naive-sc -DFIXED
// verdict: SAFE
// options: --strategy=naive
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int *_Atomic box;

static void *waiter(void *argument) {
  (void)argument;
  atomic_int *flag = atomic_load(&box);
  while (flag && atomic_load(flag) == 0)  // @A
    ;
  return NULL;
}

static void offer(pthread_t *t) {
  atomic_int flag;
  atomic_init(&flag, 0);
  atomic_store(&box, &flag);
  pthread_create(t, NULL, waiter, NULL);
#ifdef FIXED
  atomic_store(&flag, 1);
  pthread_join(*t, NULL);
#endif
}

int main(void) {
  pthread_t t;
  offer(&t);
#ifndef FIXED
  pthread_join(t, NULL);
#endif
  return 0;
}
