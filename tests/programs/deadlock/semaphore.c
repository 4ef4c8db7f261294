// Two threads take one unit each of a pool of two, and then a second.
// verdict: BUG
// finding: deadlock A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <semaphore.h>

static sem_t pool;

static void *work(void *unused) {
  (void)unused;
  sem_wait(&pool);
  sem_wait(&pool);  // @A
  sem_post(&pool);
  sem_post(&pool);
  return 0;
}

int main(void) {
  pthread_t t[2];
#ifdef FIXED
  sem_init(&pool, 0, 3);
#else
  sem_init(&pool, 0, 2);
#endif
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  sem_destroy(&pool);
  return 0;
}
