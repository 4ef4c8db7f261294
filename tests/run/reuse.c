/* finds: nothing. Memory that goes from thread to thread by malloc() and by stacks was nobody's in between. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

static sem_t over;

static void *work(void *argument) {
  char local[2000];
  memset(local, 1, sizeof local);
  for (int i = 0; i < 200; i++) {
    size_t size = (size_t)(16 + i * 40);
    char *p = malloc(size), *q = calloc(4, size);
    memset(p, local[i], size);
    p = realloc(p, size * 3);
    p[size * 2] = q[size];
    free(q);
    free(p);
  }
  char *large = malloc(1 << 20);
  memset(large, 2, 1 << 20);
  free(large);
  if (!argument) sem_post(&over);
  return NULL;
}

int main(void) {
  pthread_attr_t detached;
  sem_init(&over, 0, 0);
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  for (int round = 0; round < 20; round++) {
    pthread_t t, u;
    pthread_create(&t, &detached, work, NULL);
    pthread_create(&u, NULL, work, &over);
    pthread_join(u, NULL);
  }
  for (int round = 0; round < 20; round++) sem_wait(&over);
  return 0;
}
