/* finds: data race A B; fixed: nothing. A word is touched under one lock, and under one of thousands besides, which is not enough alone. */
#include <pthread.h>

#include "moment.h"

enum { LOCKS = 2500, STEP = 7 }; /* more than are kept of a word */
static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER, locks[LOCKS];
static long sum;

static void add(int i) {
  pthread_mutex_lock(&all);
  pthread_mutex_lock(&locks[i]);
  sum += i; /* @A */
  pthread_mutex_unlock(&locks[i]);
  pthread_mutex_unlock(&all);
}

static void *adds(void *argument) {
  for (int i = 0, k = 0; i < LOCKS; i++, k = (k + STEP) % LOCKS) add(k);
  moment_reach(1);
  return argument;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < LOCKS; i++) pthread_mutex_init(&locks[i], NULL);
  pthread_create(&t[0], NULL, adds, NULL);
  moment_await(1);
#ifdef FIXED
  pthread_mutex_lock(&all);
#endif
  pthread_mutex_lock(&locks[0]);
  sum++; /* @B */
  pthread_mutex_unlock(&locks[0]);
#ifdef FIXED
  pthread_mutex_unlock(&all);
#endif
  pthread_create(&t[1], NULL, adds, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return sum != 1 + LOCKS * (LOCKS - 1L);
}
