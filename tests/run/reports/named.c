/* Threads that have names: one by itself, by prctl() as by pthread_setname_np(), others by who made them. */
#define _GNU_SOURCE
#include "launch.h"
#include <sys/prctl.h>

int shared;

static void *work(void *data) {
  prctl(PR_SET_NAME, "a name of more than fifteen bytes");
  shared = 1;
  moment_reach(0);
  return data;
}
static void *create(void *data) {
  pthread_t t;
  launch(0, &t, work, NULL);
  pthread_join(t, NULL);
  moment_reach(1);
  moment_await(2);
  return data;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, create, NULL);
  pthread_setname_np(t, "creator");
  await(1);
  shared = 2;
  moment_reach(2);
  pthread_join(t, NULL);
  return 0;
}
