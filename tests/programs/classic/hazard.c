// A reader protects a block with a hazard pointer before using it; the twin does not look again after announcing it.
// verdict: SAFE
// options: --strategy=dpor
// case: no-recheck -DNO_RECHECK
// verdict: BUG
// options: --strategy=dpor
// finding: use-after-free A
// finding?: data-race A
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(atomic_int *) shared;
static _Atomic(atomic_int *) hazard;

static void *reader(void *unused) {
  (void)unused;
  atomic_int *p = atomic_load(&shared);
  atomic_store(&hazard, p);
#ifndef NO_RECHECK
  if (atomic_load(&shared) != p) return 0;
#endif
  hd_assert(atomic_load(p) == 1);  // @A
  atomic_store(&hazard, (atomic_int *)0);
  return 0;
}

static atomic_int *create(void) {
  atomic_int *p = malloc(sizeof *p);
  if (!p) abort();
  atomic_init(p, 1);
  return p;
}

int main(void) {
  pthread_t t;
  atomic_int *first = create(), *second = create();
  atomic_store(&shared, first);
  pthread_create(&t, 0, reader, 0);
  atomic_store(&shared, second);
  int in_use = atomic_load(&hazard) == first;
  if (!in_use) free(first);
  pthread_join(t, 0);
  if (in_use) free(first);
  free(second);
  return 0;
}
