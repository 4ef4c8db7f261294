/* Threads that still run when the process ends. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static volatile long counters[2][8];
static void *work(void *argument) {
  volatile long *own = argument;
  for (;;) ++*own;
}
int main(void) {
  pthread_attr_t detached;
  pthread_t t;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  for (int i = 0; i < 2; i++) pthread_create(&t, &detached, work, (void *)counters[i]);
  usleep(5000);
  exit(0);
}
