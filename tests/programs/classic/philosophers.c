// Dining philosophers: left fork first deadlocks, the ordered version does not.
// verdict: BUG
// options: --strategy=dpor
// finding: deadlock A
// case: ordered -DORDERED
// verdict: SAFE
// options: --strategy=dpor
// executions: 6
// case: four -DORDERED -DN=4
// verdict: SAFE
// options: --strategy=dpor
// executions: 14
#include <pthread.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t forks[N];
static int names[N];

static void *philosopher(void *argument) {
  int me = *(int *)argument;
  int first = me, second = (me + 1) % N;
#ifdef ORDERED
  if (first > second) first = 0, second = me;
#endif
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]);  // @A
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) {
    names[i] = i;
    pthread_mutex_init(&forks[i], 0);
  }
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, philosopher, &names[i]);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
