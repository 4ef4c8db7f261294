// Szymanski's mutual exclusion for two threads; the twin skips the waiting room.
// verdict: SAFE
// options: --strategy=dpor
// case: no-room -DNO_ROOM
// verdict: BUG
// options: --strategy=dpor
// finding: data-race A A
// finding?: assertion
// case: count -DASSUME
// verdict: SAFE
// options: --strategy=dpor
// executions: 29
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

static atomic_int flag[2];
static int inside;
static int names[2] = {0, 1};

static void *work(void *argument) {
  int me = *(int *)argument, other = 1 - me;
  atomic_store(&flag[me], 1);
  await(atomic_load(&flag[other]) < 3);
#ifdef NO_ROOM
  atomic_store(&flag[me], 4);
#else
  atomic_store(&flag[me], 3);
  if (atomic_load(&flag[other]) == 1) {
    atomic_store(&flag[me], 2);
    await(atomic_load(&flag[other]) == 4);
  }
  atomic_store(&flag[me], 4);
  if (me == 1) await(atomic_load(&flag[other]) < 2);
#endif
  inside++;  // @A
  if (me == 0) {
    int seen;
    await((seen = atomic_load(&flag[other]), seen < 2 || seen > 3));
  }
  atomic_store(&flag[me], 0);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, &names[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  hd_assert(inside == 2);
  return 0;
}
