// A pointer is published after the flag that announces it.
// verdict: BUG
// finding: null-dereference A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>

static atomic_int cell;
static _Atomic(atomic_int *) pointer;
static atomic_int ready;

static void *publisher(void *unused) {
  (void)unused;
#ifdef FIXED
  atomic_store(&pointer, &cell);
  atomic_store(&ready, 1);
#else
  atomic_store(&ready, 1);
  atomic_store(&pointer, &cell);
#endif
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, publisher, 0);
  if (atomic_load(&ready)) {
    atomic_int *p = atomic_load(&pointer);
    atomic_store(p, 1);  // @A
  }
  pthread_join(t, 0);
  return 0;
}
