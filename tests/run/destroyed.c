/* finds: use after free A B; fixed: nothing. A mutex is destroyed while another thread may still want it. */
#include <pthread.h>

#include "moment.h"

static pthread_mutex_t lock;

static void *use(void *argument) {
  pthread_mutex_lock(&lock); /* @A */
  pthread_mutex_unlock(&lock);
  moment_reach(1);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_mutex_init(&lock, NULL);
  pthread_create(&t, NULL, use, NULL);
#ifdef FIXED
  pthread_join(t, NULL);
#else
  moment_await(1);
#endif
  pthread_mutex_destroy(&lock); /* @B */
#ifndef FIXED
  pthread_join(t, NULL);
#endif
  return 0;
}
