// Destroys a semaphore that a thread waits for, or will: whether it has come to the wait is no step, so all strategies tell it alike.
// verdict: BUG
// finding: thread-misuse B
// finding: data-race A B
// case: dpor
// options: --strategy=dpor
// verdict: BUG
// finding: thread-misuse B
// finding: data-race A B
// case: naive
// options: --strategy=naive
// verdict: BUG
// finding: thread-misuse B
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;

static void *worker(void *unused) {
  sem_wait(&ready);  // @B
  return unused;
}

int main(void) {
  pthread_t t;
  sem_init(&ready, 0, 0);
  pthread_create(&t, 0, worker, 0);
#ifdef FIXED
  sem_post(&ready);
  pthread_join(t, 0);
#endif
  sem_destroy(&ready);  // @A
  return 0;
}
