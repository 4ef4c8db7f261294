// abort() when a sanity check of the program's own fails.
// verdict: BUG
// finding: abort A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int state;

static void *closer(void *unused) {
  (void)unused;
#ifdef FIXED
  int open = 0;
  atomic_compare_exchange_strong(&state, &open, 2);
#else
  atomic_store(&state, 2);
#endif
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, closer, 0);
  int fresh = 0;
  if (atomic_compare_exchange_strong(&state, &fresh, 1)) {
    if (atomic_load(&state) != 1) abort();  // @A
  }
  pthread_join(t, 0);
  return 0;
}
