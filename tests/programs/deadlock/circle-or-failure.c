// A thread that holds a lock fails or goes round in a circle, whichever it has read. In both cases it does nothing any more, but who then
// waits for its lock is deadlocked only if it did not fail.
// verdict: BUG
// finding: deadlock WAITS
// finding: abort
// case: dpor
// verdict: BUG
// options: --strategy=dpor
// finding: deadlock WAITS
// finding: abort
// case: ignored
// verdict: BUG
// options: --ignore=abort
// finding: deadlock WAITS
// case: fixed -DFIXED
// verdict: SAFE
// options: --ignore=abort
// case: fixed-dpor -DFIXED
// verdict: SAFE
// options: --ignore=abort --strategy=dpor
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int set, other;
static sem_t ready;

static void *thread(void *x) {
  pthread_mutex_lock(&lock);
  int seen = set;
  sem_post(&ready);
#ifdef FIXED
  if (!seen) {
    pthread_mutex_unlock(&lock);
    return x;
  }
#else
  if (!seen)
    for (;;) {
    }
#endif
  abort();
  return x;
}

int main(void) {
  pthread_t t;
  sem_init(&ready, 0, 0);
  pthread_create(&t, 0, thread, 0);
  set = 1;
  sem_wait(&ready);
  other = 1;
  pthread_mutex_lock(&lock);  // @WAITS
  pthread_mutex_unlock(&lock);
  return 0;
}
