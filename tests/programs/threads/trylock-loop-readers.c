// Waits until two readers have left a lock by trying to take it again and again. The readers leave it in any order, that makes no
// difference; but the waiting thread may look at the lock between them, whichever of them was the first.
//
// options: --strategy=dpor
// verdict: SAFE
// executions: 13
// case: maximal
// verdict: SAFE
// case: kept -DKEPT
// verdict: BUG
// finding: deadlock|livelock
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t both;

static void *write_it(void *unused) {
  while (pthread_rwlock_trywrlock(&lock)) continue;
  return unused;
}

static void *read_it(void *unused) {
  pthread_rwlock_rdlock(&lock);
  pthread_barrier_wait(&both);
#ifndef KEPT
  pthread_rwlock_unlock(&lock);
#endif
  return unused;
}

int main(void) {
  pthread_t reader, writer;
  pthread_barrier_init(&both, NULL, 2);
  pthread_create(&reader, NULL, read_it, NULL);
  pthread_rwlock_rdlock(&lock);
  pthread_barrier_wait(&both);
  pthread_create(&writer, NULL, write_it, NULL);
  pthread_rwlock_unlock(&lock);
  pthread_exit(NULL);
}
