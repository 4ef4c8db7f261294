/* One thread uses what another one has freed. */
#include "launch.h"
static char *block;

static void drop(char *p) { free(p); }

static void *work(void *data) {
  await(0);
  block[5] = 1;
  return data;
}

int main(void) {
  pthread_t t;
  block = malloc(40);
  pthread_create(&t, NULL, work, NULL);
  drop(block);
  moment_reach(0);
  pthread_join(t, NULL);
  return 0;
}
