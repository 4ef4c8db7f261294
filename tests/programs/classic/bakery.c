// Lamport's bakery for two threads; the twin does not say that it is choosing.
// verdict: SAFE
// options: --strategy=dpor
// case: silent -DSILENT
// verdict: BUG
// options: --strategy=dpor
// finding: data-race A A
// finding?: assertion
// case: count -DASSUME
// verdict: SAFE
// options: --strategy=dpor
// executions: 9
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef ASSUME
#define await(condition) hd_assume(condition)
#else
#define await(condition) \
  while (!(condition)) { \
  }
#endif

static atomic_int choosing[2], number[2];
static int inside;
static int names[2] = {0, 1};

static int comes_first(int mine, int me, int theirs, int other) {
  return theirs == 0 || mine < theirs || (mine == theirs && me < other);
}

static void *work(void *argument) {
  int me = *(int *)argument, other = 1 - me;
#ifndef SILENT
  atomic_store(&choosing[me], 1);
#endif
  int mine = atomic_load(&number[other]) + 1;
  atomic_store(&number[me], mine);
#ifndef SILENT
  atomic_store(&choosing[me], 0);
  await(!atomic_load(&choosing[other]));
#endif
  await(comes_first(mine, me, atomic_load(&number[other]), other));
  inside++;  // @A
  atomic_store(&number[me], 0);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, &names[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  hd_assert(inside == 2);
  return 0;
}
