// The smallest known program of which maximal causality reduction as published misses an outcome (docs/mcr.md): that r and q are both 1.
// verdict: BOUNDED
// options: --strategy=mcr
// executions: 3
// case: all
// verdict: BUG
// options: --strategy=dpor
// finding: assertion A
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#define GET(v)    atomic_load_explicit(&(v), memory_order_relaxed)
#define SET(v, n) atomic_store_explicit(&(v), n, memory_order_relaxed)

static atomic_int x, y, z;
static sem_t begun;
static int r, q;

static void *first(void *unused) {
  r = GET(x);
  sem_wait(&begun);
  SET(z, 1);
  return unused;
}

/* The shorter way to r = 1: with q = 0. */
static void *second(void *unused) {
  q = GET(z);
  SET(x, 1);
  return unused;
}

/* The other way, longer, which leaves q open. */
static void *third(void *unused) {
  sem_post(&begun);
  SET(y, 1);
  SET(y, 2);
  SET(x, 1);
  return unused;
}

int main(void) {
  void *(*const run[])(void *) = {first, second, third};
  pthread_t t[3];
  sem_init(&begun, 0, 0);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, run[i], NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  hd_assert(!(r == 1 && q == 1)); /* @A */
  return 0;
}
