// A thread frees what another still reads; the flag that orders them is set too early.
// verdict: BUG
// finding: use-after-free A
// finding?: data-race A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done;
static atomic_int *shared;

static void *reader(void *unused) {
  (void)unused;
#ifdef FIXED
  int value = atomic_load(shared);
  atomic_store(&done, 1);
#else
  atomic_store(&done, 1);
  int value = atomic_load(shared);  // @A
#endif
  return value == 3 ? 0 : shared;
}

int main(void) {
  pthread_t t;
  shared = malloc(sizeof *shared);
  if (!shared) return 0;
  atomic_init(shared, 3);
  pthread_create(&t, 0, reader, 0);
  if (atomic_load(&done)) {
    free(shared);
    pthread_join(t, 0);
  } else {
    pthread_join(t, 0);
    free(shared);
  }
  return 0;
}
