// A thread ends while it holds a lock. Until it is joined nothing tells others that it has ended: who stores over the lock writes over one that
// is held, whether the thread's end comes before the store or behind it. Behind the join nobody holds it.
// verdict: BUG
// finding: thread-misuse USE WRITE
// case: end -DEND
// verdict: BUG
// finding: thread-misuse USE WRITE
// case: end-naive -DEND
// verdict: BUG
// options: --strategy=naive
// finding: thread-misuse USE WRITE
// case: end-dpor -DEND
// verdict: BUG
// options: --strategy=dpor
// finding: thread-misuse USE WRITE
// case: detached -DDETACHED
// verdict: BUG
// finding: thread-misuse USE WRITE
// case: third -DTHIRD
// verdict: BUG
// finding: thread-misuse USE WRITE
// case: third-naive -DTHIRD
// verdict: BUG
// options: --strategy=naive
// finding: thread-misuse USE WRITE
// case: third-dpor -DTHIRD
// verdict: BUG
// options: --strategy=dpor
// finding: thread-misuse USE WRITE
// case: third-tso -DTHIRD
// verdict: BUG
// memory: tso
// finding: thread-misuse USE WRITE
// case: fixed -DFIXED
// verdict: SAFE
// case: fixed-end -DFIXED -DEND
// verdict: SAFE
// case: fixed-third -DFIXED -DTHIRD
// verdict: SAFE
// case: fixed-third-tso -DFIXED -DTHIRD
// verdict: SAFE
// memory: tso
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

static pthread_mutex_t object = PTHREAD_MUTEX_INITIALIZER;
static sem_t told, joined;

static void *worker(void *argument) {
  pthread_mutex_lock(&object);  // @USE
  sem_post(&told);
  return argument;
}

static void store(void) {
  object = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;  // @WRITE
}

#ifdef THIRD
static void *third(void *argument) {
  sem_wait(&told);
#ifdef FIXED
  sem_wait(&joined);
#endif
  store();
  return argument;
}
#endif

int main(int count, char **arguments) {
  pthread_t t;
  (void)arguments;
  sem_init(&told, 0, 0);
  sem_init(&joined, 0, 0);
#ifdef END /* who sends signals sees a thread's end as a step of its own */
  if (count > 1000) kill(0, 0);
#else
  (void)count;
#endif
#ifdef THIRD
  pthread_t other;
  pthread_create(&t, NULL, worker, NULL);
  pthread_create(&other, NULL, third, NULL);
  pthread_join(t, NULL);
  sem_post(&joined);
  pthread_join(other, NULL);
#else
  pthread_create(&t, NULL, worker, NULL);
#ifdef DETACHED
  pthread_detach(t);
#endif
  sem_wait(&told);
#ifdef FIXED
  pthread_join(t, NULL);
  store();
#else
  store();
#ifndef DETACHED
  pthread_join(t, NULL);
#endif
#endif
#endif
  return 0;
}
