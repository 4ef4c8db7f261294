// A mutex is set anew, by assignment, while another thread may have locked it: its unlock then finds the mutex free.
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
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m;

static void *worker(void *argument) {
  if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m);  // @A
  return argument;
}

static void set(void) { m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; }

int main(void) {
  pthread_t t;
#ifdef FIXED
  set();
#endif
  pthread_create(&t, NULL, worker, NULL);
#ifndef FIXED
  set();
#endif
  pthread_join(t, NULL);
  return 0;
}
