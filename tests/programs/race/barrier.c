// Neighbours exchange values between phases; without the barrier they race.
// verdict: BUG
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_barrier_t barrier;
static int cells[2];
static int sums[2];

static void *phase(void *argument) {
  int me = *(int *)argument;
  cells[me] = me + 1;  // @A
#ifdef FIXED
  pthread_barrier_wait(&barrier);
#endif
  sums[me] = cells[0] + cells[1];  // @B
  return 0;
}

int main(void) {
  pthread_t t[2];
  int names[2] = {0, 1};
  pthread_barrier_init(&barrier, 0, 2);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, phase, &names[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
#ifdef FIXED
  if (sums[0] != 3 || sums[1] != 3) return 1;
#endif
  pthread_barrier_destroy(&barrier);
  return 0;
}
