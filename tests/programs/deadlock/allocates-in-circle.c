// A loop that allocates and forgets does not come back to the same state, though nothing of it is left to see: the heap grows.
// verdict: SAFE
// options: --no-leaks
// case: dpor
// verdict: SAFE
// options: --no-leaks --strategy=dpor
// case: frees -DFREES
// verdict: BUG
// finding: deadlock
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *x) {
  pthread_mutex_lock(&lock);
  uintptr_t end = (uintptr_t)malloc(16) + (8 << 20);
#ifdef FREES
  for (void *p = 0; (uintptr_t)p < end; free(p)) p = malloc(16);
#else
  while ((uintptr_t)malloc(16) < end) {
  }
#endif
  pthread_mutex_unlock(&lock);
  return x;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
  return 0;
}
