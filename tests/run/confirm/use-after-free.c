/* confirms: use after free A B; fixed: nothing. The lock lets the free come before the use. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *x, y = 1;

static void *uses(void *argument) {
  pthread_mutex_lock(&m);
#ifdef FIXED
  if (y != 0)
#endif
    *x = 1; /* @A */
  pthread_mutex_unlock(&m);
  return argument;
}

static void *ends(void *argument) {
  usleep(50000);
  pthread_mutex_lock(&m);
  free(x); /* @B */
  y = 0;
  pthread_mutex_unlock(&m);
  return argument;
}

int main(void) {
  pthread_t t, u;
  x = malloc(sizeof *x);
  pthread_create(&t, NULL, uses, NULL);
  pthread_create(&u, NULL, ends, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
