/* analysis: ovp. finds: potential deadlock A A A; fixed: nothing. Each thread takes two of three locks many times, one thread after the other: more sections than are kept, of which nobody
 * knows a part. */
#include <pthread.h>

#include "moment.h"

enum { THREADS = 3, TIMES = 300 };
static pthread_mutex_t forks[THREADS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int numbers[THREADS];

static void *eat(void *number) {
  int n = *(int *)number, left = n, right = (n + 1) % THREADS;
#ifdef FIXED
  if (n == THREADS - 1) left = 0, right = n;
#endif
  if (n > 0) moment_await(n);
  for (int i = 0; i < TIMES; i++) {
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]); /* @A */
    pthread_mutex_unlock(&forks[left]);
    pthread_mutex_unlock(&forks[right]);
  }
  moment_reach(n + 1);
  return number;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++) numbers[i] = i, pthread_create(&t[i], NULL, eat, &numbers[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  return 0;
}
