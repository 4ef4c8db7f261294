// What library functions read through pointers, times and attributes, they read like the program itself: another thread's store there races.
//
// verdict: BUG
// finding: data-race other call
// case: mutex-dpor
// options: --strategy=dpor
// verdict: BUG
// finding: data-race other call
// case: mutex-tso
// memory: tso
// verdict: BUG
// finding: data-race other call
// case: mutex-fixed -DFIXED
// verdict: SAFE
// case: clock -DCLOCK
// verdict: BUG
// finding: data-race other call
// case: rwlock -DRWLOCK
// verdict: BUG
// finding: data-race other call
// case: condition -DCONDITION
// verdict: BUG
// finding: data-race other call
// case: condition-fixed -DCONDITION -DFIXED
// verdict: SAFE
// case: semaphore -DSEMAPHORE
// verdict: BUG
// finding: data-race other call
// case: join -DJOIN
// verdict: BUG
// finding: data-race other call
// case: signal -DSIGNAL
// verdict: BUG
// finding: data-race other call
// case: create -DCREATE
// verdict: BUG
// finding: data-race other call
// case: create-fixed -DCREATE -DFIXED
// verdict: SAFE
// case: init -DINIT
// verdict: BUG
// finding: data-race other call
// case: init-fixed -DINIT -DFIXED
// verdict: SAFE
// case: init-rwlock -DINIT_RWLOCK
// verdict: BUG
// finding: data-race other call
// case: init-condition -DINIT_CONDITION
// verdict: BUG
// finding: data-race other call
// case: init-barrier -DINIT_BARRIER
// verdict: BUG
// finding: data-race other call
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

static struct timespec until = {2000000000, 0};
static pthread_attr_t attributes;
static union {
  int words[8];
  pthread_mutexattr_t mutex;
  pthread_rwlockattr_t rwlock;
  pthread_condattr_t condition;
  pthread_barrierattr_t barrier;
} how;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, new_mutex;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER, new_rwlock;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER, new_condition;
static pthread_barrier_t barrier;
static sem_t semaphore;
static sigset_t set;
static pthread_t helper;

#ifdef CLOCK
#define CALL() pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &until)
#elif defined RWLOCK
#define CALL() pthread_rwlock_timedrdlock(&rwlock, &until)
#elif defined CONDITION
#define CALL() pthread_cond_timedwait(&condition, &mutex, &until)
#elif defined SEMAPHORE
#define CALL() sem_timedwait(&semaphore, &until)
#elif defined JOIN
#define CALL() pthread_timedjoin_np(helper, NULL, &until)
#elif defined SIGNAL
#define CALL() sigtimedwait(&set, NULL, &until)
#elif defined CREATE
#define CALL() pthread_create(&helper, &attributes, help, NULL)
#elif defined INIT
#define CALL() pthread_mutex_init(&new_mutex, &how.mutex)
#elif defined INIT_RWLOCK
#define CALL() pthread_rwlock_init(&new_rwlock, &how.rwlock)
#elif defined INIT_CONDITION
#define CALL() pthread_cond_init(&new_condition, &how.condition)
#elif defined INIT_BARRIER
#define CALL() pthread_barrier_init(&barrier, &how.barrier, 1)
#else
#define CALL() pthread_mutex_timedlock(&mutex, &until)
#endif

static void *help(void *argument) { return argument; }

#ifdef CREATE
#define STORE() (((char *)&attributes)[16] = 0)
#elif defined INIT || defined INIT_RWLOCK || defined INIT_CONDITION || defined INIT_BARRIER
#define STORE() (how.words[0] = 0)
#else
#define STORE() (until.tv_nsec = 1)
#endif

static void *other(void *unused) {
  STORE(); /* @other */
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_attr_init(&attributes);
  sem_init(&semaphore, 0, 1);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
#ifdef JOIN
  pthread_create(&helper, NULL, help, NULL);
#endif
#ifdef CONDITION
  pthread_mutex_lock(&mutex);
#endif
  pthread_create(&thread, NULL, other, NULL);
#ifdef FIXED
  pthread_join(thread, NULL);
#endif
  (void)CALL(); /* @call */
#ifndef FIXED
  pthread_join(thread, NULL);
#endif
#ifdef CREATE
  pthread_join(helper, NULL);
#endif
  return 0;
}
