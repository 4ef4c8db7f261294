/* A step without jumps to speak of: large blocks are set again and again. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static void *set(void *a) {
  char *block = malloc(1u << 27);
  for (int i = 0; i < 1000000; i++) memset(block, i, 1u << 27);
  free(block);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  pthread_join(t, 0);
  return 0;
}
