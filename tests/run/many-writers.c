/* finds: data race A B; fixed: nothing. once. More threads write one atomic, with no order among them, than are kept of a word's accesses. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "moment.h"

enum { THREADS = 600 };
static atomic_int last;
static volatile int begun, over;

MOMENT void linger(void) {
  if (__atomic_add_fetch(&begun, 1, __ATOMIC_SEQ_CST) == THREADS) moment_reach(1);
  while (!over) usleep(50000);
}
MOMENT void finish(void) { over = 1; }

static void *writes(void *argument) {
  atomic_store_explicit(&last, 1, memory_order_relaxed); /* @A */
  linger();
  return argument;
}

int main(void) {
  static pthread_t t[THREADS];
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 1 << 16);
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&t[i], &small, writes, NULL) != 0) abort();
  moment_await(1);
#ifdef FIXED
  int value = last;
#else
  int value = *(int *)&last; /* @B */
#endif
  finish();
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  return value != 1;
}
