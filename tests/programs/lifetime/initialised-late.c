// An object that is all zero may be used at once; to initialise it while others do so is too late, and a race.
// verdict: BUG
// finding: thread-misuse A
// finding: data-race A
// case: dpor
// verdict: BUG
// options: --strategy=dpor
// finding: thread-misuse A
// finding: data-race A
// case: naive
// verdict: BUG
// options: --strategy=naive
// finding: thread-misuse A
// finding: data-race A
// case: fixed -DFIXED
// verdict: SAFE
// case: mutex -DOBJECT=mutex -DUSE=pthread_mutex_trylock(&object)
// verdict: BUG
// finding: thread-misuse A
// finding: data-race A
// case: mutex-fixed -DOBJECT=mutex -DUSE=pthread_mutex_trylock(&object) -DFIXED
// verdict: SAFE
// case: rwlock -DOBJECT=rwlock -DUSE=pthread_rwlock_tryrdlock(&object)
// verdict: BUG
// finding: thread-misuse A
// finding: data-race A
// case: rwlock-fixed -DOBJECT=rwlock -DUSE=pthread_rwlock_tryrdlock(&object) -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stddef.h>

#ifndef OBJECT
#define OBJECT cond
#define USE    pthread_cond_signal(&object)
#endif
#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c)  JOIN_(a, b, c)

static JOIN(pthread_, OBJECT, _t) object;

static void *worker(void *argument) {
  USE;
  return argument;
}

int main(void) {
  pthread_t t;
#ifdef FIXED
  JOIN(pthread_, OBJECT, _init)(&object, NULL);
#endif
  pthread_create(&t, NULL, worker, NULL);
#ifndef FIXED
  JOIN(pthread_, OBJECT, _init)(&object, NULL);  // @A
#endif
  pthread_join(t, NULL);
  return 0;
}
