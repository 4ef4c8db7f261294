/* One thread that dirties SIZE bytes of global memory: what going back to the initial state costs. */
#include <pthread.h>

static char memory[SIZE];

static void *dirty(void *argument) {
  for (int i = 0; i < SIZE; i += 4096) memory[i]++;
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, dirty, 0);
  pthread_join(t, 0);
  return memory[0] - 1;
}
