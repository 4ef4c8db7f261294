/* confirms: lost wake-up A B; fixed: nothing. The flag is set without the lock: between the look at it and the wait. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int stop;

static void *waits(void *argument) {
  pthread_mutex_lock(&m);
  while (!stop) pthread_cond_wait(&c, &m); /* @A */
  pthread_mutex_unlock(&m);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waits, NULL);
  usleep(50000);
  stop = 1;
#ifdef FIXED
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
#endif
  pthread_cond_signal(&c); /* @B */
  pthread_join(t, NULL);
  return 0;
}
