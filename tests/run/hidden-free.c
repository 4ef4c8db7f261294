/* finds: use after free A B; confirms: use after free A B; fixed: nothing. analysis: ovp. The lock lets the free come before the use, but for what y says (thesis, Figure 3.3). */
#include <pthread.h>
#include <stdlib.h>

#include "moment.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *x, y = 1;

static void *uses(void *argument) {
  pthread_mutex_lock(&m);
#ifdef FIXED
  if (y != 0)
#endif
    *x = 1; /* @A */
  pthread_mutex_unlock(&m);
  moment_reach(1);
  return argument;
}

static void *ends(void *argument) {
  moment_await(1);
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
