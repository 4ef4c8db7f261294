// A semaphore is waited for before it is initialised, or behind that: then for ever.
// verdict: BUG
// finding: thread-misuse A
// finding: deadlock A
// finding?: data-race
// case: dpor
// verdict: BUG
// options: --strategy=dpor
// finding: thread-misuse A
// finding: deadlock A
// finding?: data-race
// case: naive
// verdict: BUG
// options: --strategy=naive
// finding: thread-misuse A
// finding: deadlock A
// finding?: data-race
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t s;

static void *waiter(void *argument) {
  sem_wait(&s);  // @A
  return argument;
}

int main(void) {
  pthread_t t;
#ifdef FIXED
  sem_init(&s, 0, 1);
#endif
  pthread_create(&t, NULL, waiter, NULL);
#ifndef FIXED
  sem_init(&s, 0, 0);
#endif
  pthread_join(t, NULL);
  return 0;
}
