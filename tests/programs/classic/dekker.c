// Dekker's mutual exclusion; the twin does not look at the other's wish after getting its turn back.
// verdict: SAFE
// options: --strategy=dpor
// case: hasty -DHASTY
// verdict: BUG
// options: --strategy=dpor
// finding: data-race A A
// finding?: assertion
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int want[2], turn;
static int inside;
static int names[2] = {0, 1};

static void *work(void *argument) {
  int me = *(int *)argument, other = 1 - me;
  atomic_store(&want[me], 1);
  while (atomic_load(&want[other])) {
    if (atomic_load(&turn) != me) {
      atomic_store(&want[me], 0);
      while (atomic_load(&turn) != me) {
      }
      atomic_store(&want[me], 1);
#ifdef HASTY
      break;
#endif
    }
#ifdef HASTY
    else
      break;
#endif
  }
  inside++;  // @A
  atomic_store(&turn, other);
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
