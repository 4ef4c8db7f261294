// Lazy initialisation by two threads: the loser's block is lost.
// verdict: BUG
// finding: leak A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) instance;

static void *get(void *unused) {
  (void)unused;
  int *seen = atomic_load(&instance);
  if (!seen) {
    int *mine = malloc(sizeof *mine);  // @A
#ifdef FIXED
    if (!atomic_compare_exchange_strong(&instance, &seen, mine)) free(mine);
#else
    atomic_store(&instance, mine);
#endif
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, get, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
