/* finds: use after free A B; fixed: nothing. Freed without knowing that the other thread is done. */
#include <pthread.h>
#include <stdlib.h>

#include "moment.h"

static int *block;

static void *use(void *argument) {
  *block = 1; /* @A */
  moment_reach(1);
  return argument;
}

int main(void) {
  pthread_t t;
  block = malloc(sizeof *block);
  pthread_create(&t, NULL, use, NULL);
#ifdef FIXED
  pthread_join(t, NULL);
#else
  moment_await(1);
#endif
  free(block); /* @B */
#ifndef FIXED
  pthread_join(t, NULL);
#endif
  return 0;
}
