// A detached thread is not ordered with the end of main by anything.
// verdict: BUG
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <semaphore.h>

static int result;
static sem_t finished;

static void *work(void *unused) {
  (void)unused;
  result = 1;  // @A
  sem_post(&finished);
  return 0;
}

int main(void) {
  pthread_t t;
  sem_init(&finished, 0, 0);
  pthread_create(&t, 0, work, 0);
  pthread_detach(t);
#ifdef FIXED
  sem_wait(&finished);
#endif
  return result > 1;  // @B
}
