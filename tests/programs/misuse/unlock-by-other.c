// A mutex is unlocked by a thread that does not own it.
// verdict: BUG
// finding: thread-misuse A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t handed;

static void *other(void *unused) {
  (void)unused;
  sem_wait(&handed);
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  pthread_mutex_unlock(&lock);  // @A
  return 0;
}

int main(void) {
  pthread_t t;
  sem_init(&handed, 0, 0);
  pthread_create(&t, 0, other, 0);
  pthread_mutex_lock(&lock);
  sem_post(&handed);
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  pthread_join(t, 0);
  return 0;
}
