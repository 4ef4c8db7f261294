// The race of the two writes is there beside the use of the freed block.
// verdict: BUG
// options: --strategy=maximal
// finding: data-race A B
// finding: use-after-free A
// finding?: data-race
// case: dpor-sc
// verdict: BUG
// options: --strategy=dpor
// finding: data-race A B
// finding: use-after-free A
// finding?: data-race
// case: naive-sc
// verdict: BUG
// options: --strategy=naive
// finding: data-race A B
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
#include <stdlib.h>

static void *worker(void *argument) {
  *(int *)argument = 2;  // @A
  return NULL;
}

int main(void) {
  pthread_t t;
  int *x = malloc(sizeof *x);
  pthread_create(&t, NULL, worker, x);
#ifdef FIXED
  pthread_join(t, NULL);
#endif
  *x = 1;  // @B
  free(x);
#ifndef FIXED
  pthread_join(t, NULL);
#endif
  return 0;
}
