/* finds: data race A B; fixed: nothing. What the C library does for a thread, the thread does. */
#include <pthread.h>
#include <string.h>

char buffer[64]; /* known elsewhere: its stores stay */
static pthread_barrier_t met;

static void *fill(void *argument) {
  volatile size_t size = sizeof buffer - 1; /* compilers know what to do with constants */
  memset(buffer, 'x', size);                /* @A */
  pthread_barrier_wait(&met);
  return argument;
}

int main(void) {
  pthread_t t;
  static char copy[64];
  volatile size_t size = sizeof copy;
  pthread_barrier_init(&met, NULL, 2);
  pthread_create(&t, NULL, fill, NULL);
#ifdef FIXED
  pthread_barrier_wait(&met);
#endif
  memcpy(copy, buffer, size); /* @B */
#ifndef FIXED
  pthread_barrier_wait(&met);
#endif
  pthread_join(t, NULL);
  pthread_barrier_destroy(&met);
  return copy[strlen(copy) / 2] == 'y';
}
