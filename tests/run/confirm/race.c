/* confirms: data race A B; fixed: nothing. Two sections of one lock that may change places hide it. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int x, n, k;

static void *one(void *argument) {
  x = 1; /* @A */
  pthread_mutex_lock(&m);
  n = 1;
  pthread_mutex_unlock(&m);
  return argument;
}

static void *two(void *argument) {
  usleep(50000);
  pthread_mutex_lock(&m);
#ifdef FIXED
  int done = n;
#else
  int done = 1;
#endif
  k = done;
  pthread_mutex_unlock(&m);
  if (done) x = 2; /* @B */
  return argument;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, one, NULL);
  pthread_create(&u, NULL, two, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
