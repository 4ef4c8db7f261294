// main returns while a thread waits: the process ends, which is not a deadlock.
// verdict: SAFE
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *waiter(void *unused) {
  (void)unused;
  sem_wait(&never);
  return 0;
}

int main(void) {
  pthread_t t;
  sem_init(&never, 0, 0);
  pthread_create(&t, 0, waiter, 0);
  return 0;
}
