// One thread adds to a variable and another subtracts (the thesis, beginning of chapter 4). What a read returned is forgotten once the sum
// was stored. mcr tells executions apart by it, and makes one for each of the 26 results that the reads can have; for mcr-s and mcr-s+
// those are the same from which the same can follow.
// verdict: BOUNDED
// options: --strategy=mcr
// executions: 26
// case: equivalence
// verdict: BOUNDED
// options: --strategy=se-mcr
// executions: 26
// case: loose
// verdict: BOUNDED
// options: --strategy=mcr-s
// executions: 21
// case: strict
// verdict: BOUNDED
// options: --strategy=mcr-s+
// executions: 21
// case: strict-dynamic
// verdict: BOUNDED
// options: --strategy=mcr-s+ --dependency=dynamic
// executions: 23
// case: strict-all
// verdict: BOUNDED
// options: --strategy=mcr-s+ --dependency=all
// executions: 26
// case: lost -DLOST=2
// verdict: BUG
// options: --strategy=mcr-s+
// finding: assertion A
// case: least -DLOST=-2
// verdict: BUG
// options: --strategy=mcr-s+
// finding: assertion A
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef LOST
#define LOST 3
#endif

#define GET(v)    atomic_load_explicit(&(v), memory_order_relaxed)
#define SET(v, n) atomic_store_explicit(&(v), n, memory_order_relaxed)

static atomic_int counter;

static void *add(void *by) {
  for (int i = 0; i < 2; i++) SET(counter, GET(counter) + *(int *)by);
  return 0;
}

int main(void) {
  pthread_t up, down;
  int one = 1, less = -1;
  pthread_create(&up, 0, add, &one);
  pthread_create(&down, 0, add, &less);
  pthread_join(up, 0);
  pthread_join(down, 0);
  hd_assert(GET(counter) != LOST); /* @A */
  return 0;
}
