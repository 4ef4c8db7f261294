/* A thread that was created by a thread, and has a name: the creator's creation is shown, too. */
#define _GNU_SOURCE
#include "launch.h"
int x;

static void *inner(void *data) {
  pthread_setname_np(pthread_self(), "inner");
  x++;
  moment_reach(0);
  return data;
}

static void *outer(void *data) {
  pthread_t t;
  launch(0, &t, inner, NULL);
  pthread_join(t, NULL);
  return data;
}

static void start(pthread_t *t) { pthread_create(t, NULL, outer, NULL); }

int main(void) {
  pthread_t t;
  start(&t);
  await(0);
  x = 1;
  pthread_join(t, NULL);
  return 0;
}
