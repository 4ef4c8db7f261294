/* finds: data race A B; fixed: nothing. analysis: ovp. A counter that one thread alone changes, many times, by relaxed operations:
 * who reads it comes behind what that thread did before, who does not is ordered by the lock in this run alone. */
#include <pthread.h>
#include <stdatomic.h>

#include "moment.h"

enum { TIMES = 1000 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int count, other;
static int x;

static void counts(void) {
  for (int i = 0; i < TIMES; i++) atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
}

static void *one(void *argument) {
  counts();
  x = 1; /* @A */
  counts();
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  moment_reach(1);
  return argument;
}

static void *two(void *argument) {
  moment_await(1);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
#ifdef FIXED
  if (atomic_load_explicit(&count, memory_order_relaxed) == 2 * TIMES) x = 2;
#else
  if (atomic_load_explicit(&other, memory_order_relaxed) == 0) x = 2; /* @B */
#endif
  return argument;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, one, NULL);
  pthread_create(&u, NULL, two, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return x == 0;
}
