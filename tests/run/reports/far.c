/* A block that begins long before the byte in question: what lies between is hardly touched. */
#include "launch.h"

enum { SIZE = 14 << 20, AT = 12 << 20 };

static void *writes(void *argument) {
  char *block = argument;
  block[AT] = 1;
  moment_reach(0);
  return NULL;
}

int main(void) {
  pthread_t t;
  char *block = malloc(SIZE);
  for (int i = 0; i < SIZE; i += SIZE / 7) block[i] = 1;
  launch(0, &t, writes, block);
  block[AT] = 2;
  pthread_join(t, NULL);
  free(block);
  return 0;
}
