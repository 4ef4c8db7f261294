// A thread hands out the address of its thread-local variable and ends.
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

static _Thread_local atomic_int mine;
static atomic_int *_Atomic box;

static void *worker(void *argument) {
  (void)argument;
  atomic_store(&box, &mine);
#ifdef FIXED
  while (atomic_load(&mine) == 0)
    ;
#endif
  return NULL;
}

int main(void) {
  pthread_t t;
  atomic_int *theirs;
  pthread_create(&t, NULL, worker, NULL);
  while (!(theirs = atomic_load(&box)))
    ;
  atomic_store(theirs, 1);  // @A
  pthread_join(t, NULL);
  return 0;
}
