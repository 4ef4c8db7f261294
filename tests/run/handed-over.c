/* finds: data race A B; fixed: nothing. analysis: ovp. Who frees the block knows it only from a read of `slot`, which races, too: so all that
 * came before the write of `slot` came before the free. */
#include <pthread.h>
#include <stdlib.h>

#include "moment.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *slot, n;

static void *makes(void *argument) {
  int *block = malloc(sizeof *block);
  *block = 1;
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  slot = block; /* @A */
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  pthread_mutex_lock(&m);
  n++;
  pthread_mutex_unlock(&m);
  moment_reach(1);
  return argument;
}

static void *ends(void *argument) {
  moment_await(1);
  pthread_mutex_lock(&m); /* orders the two threads in this run: nothing in this section says that it has to come later */
  pthread_mutex_unlock(&m);
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  int *block = slot; /* @B */
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  free(block);
  return argument;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, makes, NULL);
  pthread_create(&u, NULL, ends, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
