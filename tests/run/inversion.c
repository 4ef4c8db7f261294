/* finds: potential deadlock A B; fixed: nothing. Two locks, in two orders, by threads that never met. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static atomic_int done;

static void *one(void *argument) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); /* @A */
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
  }
  atomic_store(&done, 1);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, one, NULL);
  while (!atomic_load(&done)) usleep(1000); /* orders no locks */
#ifdef FIXED
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
#else
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a); /* @B */
#endif
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return pthread_join(t, NULL);
}
