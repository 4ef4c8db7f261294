// A synchronisation object that one thread initialises and another uses: a relaxed flag between them orders nothing.
// verdict: BUG
// finding: data-race A
// case: dpor
// verdict: BUG
// options: --strategy=dpor
// finding: data-race A
// case: naive
// verdict: BUG
// options: --strategy=naive
// finding: data-race A
// case: fixed -DORDER=1
// verdict: SAFE
// case: rwlock -DUSES=1
// verdict: BUG
// finding: data-race A
// case: rwlock-fixed -DUSES=1 -DORDER=1
// verdict: SAFE
// case: condition -DUSES=2
// verdict: BUG
// finding: data-race A
// case: condition-fixed -DUSES=2 -DORDER=1
// verdict: SAFE
// case: barrier -DUSES=3
// verdict: BUG
// finding: data-race A
// case: barrier-fixed -DUSES=3 -DORDER=1
// verdict: SAFE
// case: semaphore -DUSES=4
// verdict: BUG
// finding: data-race A
// case: semaphore-fixed -DUSES=4 -DORDER=1
// verdict: SAFE
// case: spin -DUSES=5
// verdict: BUG
// finding: data-race A
// case: spin-fixed -DUSES=5 -DORDER=1
// verdict: SAFE
// case: trylock -DUSES=6
// verdict: BUG
// finding: data-race A
// case: trylock-fixed -DUSES=6 -DORDER=1
// verdict: SAFE
// case: assigned -DUSES=7
// verdict: BUG
// finding: data-race A
// case: assigned-fixed -DUSES=7 -DORDER=1
// verdict: SAFE
// case: used-before -DUSES=8
// verdict: BUG
// finding: data-race A
// case: used-before-dpor -DUSES=8
// verdict: BUG
// options: --strategy=dpor
// finding: data-race A
// case: used-before-fixed -DUSES=8 -DORDER=1
// verdict: SAFE
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef USES
#define USES 0
#endif
#if USES == 0
static pthread_mutex_t object;
#define INIT pthread_mutex_init(&object, NULL)
#define USE  (pthread_mutex_lock(&object), pthread_mutex_unlock(&object))
#elif USES == 1
static pthread_rwlock_t object;
#define INIT pthread_rwlock_init(&object, NULL)
#define USE  (pthread_rwlock_rdlock(&object), pthread_rwlock_unlock(&object))
#elif USES == 2
static pthread_cond_t object;
#define INIT pthread_cond_init(&object, NULL)
#define USE  pthread_cond_broadcast(&object)
#elif USES == 3
static pthread_barrier_t object;
#define INIT pthread_barrier_init(&object, NULL, 1)
#define USE  pthread_barrier_wait(&object)
#elif USES == 4
static sem_t object;
#define INIT sem_init(&object, 0, 0)
#define USE  sem_post(&object)
#elif USES == 5
static pthread_spinlock_t object;
#define INIT pthread_spin_init(&object, 0)
#define USE  (pthread_spin_lock(&object), pthread_spin_unlock(&object))
#elif USES == 6
static pthread_mutex_t object;
#define INIT pthread_mutex_init(&object, NULL)
#define USE  (pthread_mutex_trylock(&object) ? 0 : pthread_mutex_unlock(&object))
#elif USES == 8
static pthread_mutex_t object;
#define INIT (pthread_mutex_init(&object, NULL), pthread_mutex_lock(&object), pthread_mutex_unlock(&object))
#define USE  (pthread_mutex_lock(&object), pthread_mutex_unlock(&object))
#else
static pthread_mutex_t object;
#define INIT object = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER
#define USE  (pthread_mutex_lock(&object), pthread_mutex_unlock(&object))
#endif
#ifdef ORDER
enum { WRITER = memory_order_release, READER = memory_order_acquire };
#else
enum { WRITER = memory_order_relaxed, READER = memory_order_relaxed };
#endif

static atomic_int ready;

static void *worker(void *argument) {
  INIT;  // @A
  atomic_store_explicit(&ready, 1, WRITER);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  if (atomic_load_explicit(&ready, READER)) USE;
  pthread_join(t, NULL);
  return 0;
}
