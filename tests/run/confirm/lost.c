/* confirms: lost wake-up A B; fixed: nothing. The notification may come before the wait, under the same lock. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int cycling = 1, over;

static void *waits(void *argument) {
  pthread_mutex_lock(&m);
#ifdef FIXED
  while (!over) pthread_cond_wait(&c, &m);
#else
  if (cycling) pthread_cond_wait(&c, &m); /* @A */
#endif
  pthread_mutex_unlock(&m);
  return argument;
}

static void *notifies(void *argument) {
  usleep(50000);
  pthread_mutex_lock(&m);
  over = 1;
  pthread_cond_broadcast(&c); /* @B */
  pthread_mutex_unlock(&m);
  return argument;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, waits, NULL);
  pthread_create(&u, NULL, notifies, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return cycling - 1;
}
