/* finds: use after free A B; fixed: nothing. analysis: ovp. More locks than are kept of a thread: those beyond order as they did. */
#include <pthread.h>
#include <stdlib.h>

#include "moment.h"

enum { LOCKS = 70, KEPT = 3, BEYOND = 68 };
static pthread_mutex_t locks[LOCKS];
static int *kept, *beyond, set;

static void *uses(void *argument) {
  for (int i = 0; i < LOCKS; i++) pthread_mutex_lock(&locks[i]);
  *kept = 1; /* @A */
  *beyond = 1;
  set = 1;
  for (int i = LOCKS; i-- > 0;) pthread_mutex_unlock(&locks[i]);
  return argument;
}

/* Whoever has seen that it is set comes later in all runs. */
static void *frees(void *argument) {
  for (int done = 0; !done;) {
    pthread_mutex_lock(&locks[BEYOND]);
    done = set;
    pthread_mutex_unlock(&locks[BEYOND]);
  }
  free(beyond);
  return argument;
}

static void *frees_hidden(void *argument) {
  moment_await(0);
  pthread_mutex_lock(&locks[KEPT]);
  free(kept); /* @B */
  pthread_mutex_unlock(&locks[KEPT]);
  return argument;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < LOCKS; i++) pthread_mutex_init(&locks[i], NULL);
  kept = malloc(sizeof *kept), beyond = malloc(sizeof *beyond);
  pthread_create(&t[0], NULL, uses, NULL);
  pthread_create(&t[1], NULL, frees, NULL);
#ifndef FIXED
  pthread_create(&t[2], NULL, frees_hidden, NULL);
#endif
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  moment_reach(0);
#ifdef FIXED
  pthread_create(&t[2], NULL, frees_hidden, NULL);
#endif
  pthread_join(t[2], NULL);
  return 0;
}
