/* confirms: data race A B; fixed: nothing. The access is the 700th of a loop that is over soon: it has to be seen before it can be held. */
#include <pthread.h>
#include <unistd.h>

enum { CELLS = 1000, LAST = 700 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int x[CELLS], n, k;

static void *one(void *argument) {
  for (int i = 0; i < CELLS; i++) x[i] = 1; /* @A */
  pthread_mutex_lock(&m);
  n = 1;
  pthread_mutex_unlock(&m);
  return argument;
}

static void *two(void *argument) {
  usleep(100000);
  pthread_mutex_lock(&m);
#ifdef FIXED
  int done = n;
#else
  int done = 1;
#endif
  k = done;
  pthread_mutex_unlock(&m);
  if (done) x[LAST] = 2; /* @B */
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
