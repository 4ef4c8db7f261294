/* finds: potential deadlock A B; fixed: nothing. A lock that was got by trying is held like others; who tries, or waits for some time only,
 * will not wait for ever. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static atomic_int done;

static void *one(void *argument) {
  if (pthread_mutex_trylock(&a) != 0) abort();
  pthread_mutex_lock(&b); /* @A */
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  atomic_store(&done, 1);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, one, NULL);
  while (!atomic_load(&done)) usleep(1000); /* orders no locks */
  pthread_mutex_lock(&b);
#ifdef FIXED
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_sec++;
  if (pthread_mutex_trylock(&a) == 0) pthread_mutex_unlock(&a);
  if (pthread_mutex_timedlock(&a, &soon) == 0) pthread_mutex_unlock(&a);
#else
  pthread_mutex_lock(&a); /* @B */
  pthread_mutex_unlock(&a);
#endif
  pthread_mutex_unlock(&b);
  return pthread_join(t, NULL);
}
