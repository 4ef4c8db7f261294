// Lamport's fast mutual exclusion for two threads; the twin trusts the first test of y.
// verdict: SAFE
// options: --strategy=dpor
// case: trusting -DTRUSTING
// verdict: BUG
// options: --strategy=dpor
// finding: data-race A A
// finding?: assertion
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#define await(condition) \
  while (!(condition)) { \
  }

static atomic_int x, y, busy[3];
static int inside;
static int names[2] = {1, 2};

static void enter(int me) {
  for (;;) {
    atomic_store(&busy[me], 1);
    atomic_store(&x, me);
    if (atomic_load(&y) != 0) {
      atomic_store(&busy[me], 0);
      await(atomic_load(&y) == 0);
      continue;
    }
    atomic_store(&y, me);
#ifdef TRUSTING
    return;
#endif
    if (atomic_load(&x) == me) return;
    atomic_store(&busy[me], 0);
    for (int j = 1; j <= 2; j++) await(!atomic_load(&busy[j]));
    if (atomic_load(&y) == me) return;
    await(atomic_load(&y) == 0);
  }
}

static void *work(void *argument) {
  int me = *(int *)argument;
  enter(me);
  inside++;  // @A
  atomic_store(&y, 0);
  atomic_store(&busy[me], 0);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, &names[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  hd_assert(inside == 2);
  return 0;
}
