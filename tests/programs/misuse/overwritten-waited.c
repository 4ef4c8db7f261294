// A thread holds a lock, or waits at a barrier or a condition variable, while another one stores where that is: told where it stores. What
// nobody uses may be overwritten, as may what only the storing thread itself uses; it is as if it had never been used then.
// verdict: BUG
// cflags: -DMUTEX
// finding: thread-misuse USE WRITE
// finding?: data-race
// case: rwlock -DRWLOCK
// verdict: BUG
// finding: thread-misuse USE WRITE
// finding?: data-race
// case: spin -DSPIN
// verdict: BUG
// finding: thread-misuse USE WRITE
// finding?: data-race
// case: barrier -DBARRIER
// verdict: BUG
// finding: thread-misuse USE WRITE
// finding?: thread-misuse USE
// finding?: data-race
// case: condition -DCONDITION
// verdict: BUG
// finding: thread-misuse USE WRITE
// finding?: data-race
// finding?: deadlock USE
// case: tso -DMUTEX
// verdict: BUG
// memory: tso
// finding: thread-misuse USE WRITE
// finding?: data-race
// case: unused -DMUTEX -DUNUSED
// verdict: SAFE
// case: own -DMUTEX -DOWN
// verdict: SAFE
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <string.h>

static sem_t told, leave;
#if defined MUTEX
static pthread_mutex_t object;
#define USE   pthread_mutex_lock(&object)
#define LEAVE pthread_mutex_unlock(&object)
#elif defined RWLOCK
static pthread_rwlock_t object;
#define USE   pthread_rwlock_rdlock(&object)
#define LEAVE pthread_rwlock_unlock(&object)
#elif defined SPIN
static pthread_spinlock_t object;
#define USE   pthread_spin_lock(&object)
#define LEAVE pthread_spin_unlock(&object)
#elif defined BARRIER
static pthread_barrier_t object;
#define USE   pthread_barrier_wait(&object)
#define LEAVE (void)0
#else
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t object;
#define USE   pthread_mutex_lock(&m), pthread_cond_wait(&object, &m)
#define LEAVE pthread_mutex_unlock(&m)
#endif

static void *worker(void *argument) {
#if defined BARRIER || defined CONDITION
  sem_post(&told);
#endif
  USE;  // @USE
  sem_post(&told);
  sem_wait(&leave);
  LEAVE;
  return argument;
}

static void store(void) {
  memset(&object, 0, sizeof object);  // @WRITE
}

int main(void) {
  pthread_t t;
  sem_init(&told, 0, 0);
  sem_init(&leave, 0, 0);
#ifdef SPIN
  pthread_spin_init(&object, 0);
#endif
#ifdef BARRIER
  pthread_barrier_init(&object, NULL, 2);
#endif
#ifdef OWN
  USE;
  store();
#endif
  pthread_create(&t, NULL, worker, NULL);
  sem_wait(&told);
#if !defined OWN && !defined UNUSED
  store();
#endif
  sem_post(&leave);
  pthread_join(t, NULL);
#ifdef UNUSED
  store();
  USE;
  LEAVE;
#endif
  return 0;
}
