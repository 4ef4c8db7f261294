/* finds: nothing. What the C library keeps of threads that have ended it frees when others end, whoever they belong to. */
#include <pthread.h>
#include <stdlib.h>

enum { MANY = 12, BLOCKS = 200 };

static void *nothing(void *argument) { return argument; }

/* Leaves free blocks behind that the C library uses for the threads. */
static void *create(void *argument) {
  for (int round = 0; round < 40; round++) {
    void *blocks[BLOCKS];
    pthread_t ids[MANY];
    for (int i = 0; i < BLOCKS; i++) blocks[i] = malloc(200 + (size_t)i * 4);
    for (int i = 0; i < BLOCKS; i++) free(blocks[i]);
    for (int i = 0; i < MANY; i++)
      if (pthread_create(&ids[i], NULL, nothing, NULL) != 0) exit(1);
    for (int i = 0; i < MANY; i++) pthread_join(ids[i], NULL);
  }
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, create, NULL);
  pthread_create(&b, NULL, create, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
