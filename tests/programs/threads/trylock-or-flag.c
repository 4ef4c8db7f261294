// A loop that waits for a flag or for a lock ends when the lock is free, though nobody sets the flag; the same for a semaphore's count.
//
// verdict: SAFE
// case: dpor
// options: --strategy=dpor
// verdict: SAFE
// case: count -DCOUNT
// verdict: SAFE
// case: value -DVALUE
// verdict: SAFE
// case: spin -DSPIN
// verdict: SAFE
// case: kept -DKEPT
// verdict: BUG
// finding: deadlock loop
// case: kept-count -DKEPT -DCOUNT
// verdict: BUG
// finding: deadlock loop
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int flag;

#if defined COUNT || defined VALUE
static sem_t count;
static void begin(void) { sem_init(&count, 0, 0); }
static void give(void) { sem_post(&count); }
#elif defined SPIN
static pthread_spinlock_t lock;
static void begin(void) {
  pthread_spin_init(&lock, 0);
  pthread_spin_lock(&lock);
}
static void give(void) { pthread_spin_unlock(&lock); }
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void begin(void) { pthread_mutex_lock(&lock); }
static void give(void) { pthread_mutex_unlock(&lock); }
#endif

static int missing(void) {
#ifdef COUNT
  return sem_trywait(&count);
#elif defined VALUE
  int value;
  sem_getvalue(&count, &value);
  return value == 0;
#elif defined SPIN
  return pthread_spin_trylock(&lock);
#else
  return pthread_mutex_trylock(&lock);
#endif
}

static void *wait(void *unused) {
  while (!flag && missing()) /* @loop */
    ;
  return unused;
}

int main(void) {
  pthread_t thread;
  begin();
  pthread_create(&thread, NULL, wait, NULL);
#ifndef KEPT
  give();
#endif
  pthread_join(thread, NULL);
#ifdef KEPT
  give();
#endif
  return 0;
}
