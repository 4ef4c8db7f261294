// Two owners of one block: each frees it if it believes to be the last.
// verdict: BUG
// finding: double-free A
// finding?: data-race
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int references = 2;
static int *block;

static void *drop(void *unused) {
  (void)unused;
#ifdef FIXED
  if (atomic_fetch_sub(&references, 1) == 1) free(block);
#else
  atomic_fetch_sub(&references, 1);
  if (atomic_load(&references) == 0)
    free(block);  // @A
#endif
  return 0;
}

int main(void) {
  pthread_t t[2];
  block = malloc(4);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, drop, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
