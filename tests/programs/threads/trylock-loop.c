// Waits for a lock by trying to take it again and again. The step that waits for a change of the lock is no try: it can come when the lock
// has been left, and not while it is held. So it can come between the sections of the other thread, too.
//
// options: --strategy=dpor
// verdict: BUG
// finding: deadlock
// executions: 12
// case: every-interleaving
// options: --strategy=naive
// verdict: BUG
// finding: deadlock
// executions: 12
// case: fixed -DFIXED
// options: --strategy=dpor
// verdict: SAFE
// executions: 12
// case: fixed-maximal -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *wait(void *unused) {
  while (pthread_mutex_trylock(&lock)) continue;
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait, NULL);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  pthread_join(thread, NULL);
  return 0;
}
