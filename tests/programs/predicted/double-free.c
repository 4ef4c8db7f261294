// The second thread finds the block gone, in the only execution that is made. If it looks before that, both free it.
// verdict: BUG
// options: --predict --executions=2
// executions: 1
// finding: double-free A
// finding: data-race A
// case: not-predicted
// verdict: BOUNDED
// options: --executions=2
// executions: 1
// case: fixed -DFIXED
// verdict: SAFE
// options: --predict
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;

static void *drop(void *unused) {
#ifdef FIXED
  int *mine = atomic_exchange(&shared, NULL);
#else
  int *mine = atomic_load(&shared);
  if (mine) atomic_store(&shared, NULL);
#endif
  if (mine) free(mine);  // @A
  return unused;
}

int main(void) {
  pthread_t t[2];
  atomic_store(&shared, malloc(sizeof(int)));
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, drop, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
