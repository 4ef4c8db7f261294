// Peterson's mutual exclusion for two threads; the twin announces its wish after giving way.
// verdict: SAFE
// options: --strategy=dpor
// case: swapped -DSWAPPED
// verdict: BUG
// options: --strategy=dpor
// finding: data-race A A
// finding?: assertion
// case: count -DASSUME
// verdict: SAFE
// options: --strategy=dpor
// executions: 4
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

static atomic_int want[2], turn;
static int inside;
static int names[2] = {0, 1};

static void *work(void *argument) {
  int me = *(int *)argument, other = 1 - me;
#ifdef SWAPPED
  atomic_store(&turn, other);
  atomic_store(&want[me], 1);
#else
  atomic_store(&want[me], 1);
  atomic_store(&turn, other);
#endif
  await(atomic_load(&want[other]) == 0 || atomic_load(&turn) == me);
  inside++;  // @A
  atomic_store(&want[me], 0);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, &names[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  hd_assert(inside == 2);
  return 0;
}
