// Whoever is told that it completed the round destroys the barrier and initialises it again, while others have yet to leave.
// verdict: SAFE
// case: freed -DFREED
// verdict: SAFE
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barriers[2];

static void *work(void *unused) {
  (void)unused;
  for (int round = 0; round < 4; round++) {
    pthread_barrier_t *mine = barriers[round % 2];
    if (pthread_barrier_wait(mine) == PTHREAD_BARRIER_SERIAL_THREAD && round < 2) {
      pthread_barrier_destroy(mine);
#ifdef FREED
      free(mine);
      return 0;
#else
      pthread_barrier_init(mine, 0, 2);
#endif
    }
#ifdef FREED
    return 0;
#endif
  }
  return 0;
}

int main(void) {
  pthread_t t;
  for (int i = 0; i < 2; i++) {
    barriers[i] = malloc(sizeof *barriers[i]);
    pthread_barrier_init(barriers[i], 0, 2);
  }
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
#ifndef FREED
  pthread_barrier_destroy(barriers[0]);
  free(barriers[0]);
#endif
  free(barriers[1]);
  return 0;
}
