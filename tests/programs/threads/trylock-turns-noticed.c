// A thread that polls a lock takes others in each turn. Who tries to take those meets the second lock of one turn, and then the first lock
// of the next: turns that somebody has noticed are not all alike.
//
// verdict: BUG
// finding: assertion both
// case: naive
// options: --strategy=naive
// verdict: BUG
// finding: assertion both
// case: dpor
// options: --strategy=dpor
// verdict: BUG
// finding: assertion both
// case: readers -DREADERS
// verdict: BUG
// finding: assertion both
// case: fixed -DFIXED
// verdict: SAFE
// case: fixed-dpor -DFIXED
// options: --strategy=dpor
// verdict: SAFE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t wanted = PTHREAD_MUTEX_INITIALIZER;
#ifdef READERS
static pthread_rwlock_t first = PTHREAD_RWLOCK_INITIALIZER, second = PTHREAD_RWLOCK_INITIALIZER;
#define LOCK    pthread_rwlock_rdlock
#define TRYLOCK pthread_rwlock_trywrlock
#define UNLOCK  pthread_rwlock_unlock
#else
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
#define LOCK    pthread_mutex_lock
#define TRYLOCK pthread_mutex_trylock
#define UNLOCK  pthread_mutex_unlock
#endif

static void *poll(void *unused) {
  while (pthread_mutex_trylock(&wanted)) {
    LOCK(&first);
    UNLOCK(&first);
    LOCK(&second);
    UNLOCK(&second);
  }
  pthread_mutex_unlock(&wanted);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&wanted);
  pthread_create(&thread, NULL, poll, NULL);
#ifdef FIXED
  pthread_mutex_unlock(&wanted);
  pthread_join(thread, NULL);
  int late = TRYLOCK(&second), early = TRYLOCK(&first);
  assert(!late && !early);
#else
  int late = TRYLOCK(&second), early = TRYLOCK(&first);
  assert(!(late && early)); /* @both */
#endif
  if (!late) UNLOCK(&second);
  if (!early) UNLOCK(&first);
#ifndef FIXED
  pthread_mutex_unlock(&wanted);
  pthread_join(thread, NULL);
#endif
  return 0;
}
