// Destroys a mutex that another thread may hold.
// verdict: BUG
// finding: thread-misuse A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock;
static sem_t taken, leave;

static void *holder(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  sem_post(&taken);
  sem_wait(&leave);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutex_init(&lock, 0);
  sem_init(&taken, 0, 0);
  sem_init(&leave, 0, 0);
  pthread_create(&t, 0, holder, 0);
  sem_wait(&taken);
#ifdef FIXED
  sem_post(&leave);
  pthread_join(t, 0);
  pthread_mutex_destroy(&lock);
#else
  pthread_mutex_destroy(&lock);  // @A
  sem_post(&leave);
  pthread_join(t, 0);
#endif
  return 0;
}
