// Two threads join each other; main does not wait for them.
// verdict: BUG
// finding: deadlock A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <semaphore.h>

static pthread_t threads[2];
static sem_t started;

static void *first(void *unused) {
  (void)unused;
  sem_wait(&started);
  pthread_join(threads[1], 0);  // @A
  return 0;
}

static void *second(void *unused) {
  (void)unused;
  sem_wait(&started);
#ifndef FIXED
  pthread_join(threads[0], 0);
#endif
  return 0;
}

int main(void) {
  sem_init(&started, 0, 0);
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  sem_post(&started);
  sem_post(&started);
  pthread_exit(0);
}
