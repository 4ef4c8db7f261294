// Threads wait in a loop for one of two flags. The first is raised and taken back; the second is raised by another thread. TWO: one waiter more.
// UPDATE: the loop takes the first flag with a compare-exchange; the twin does not look whether it did.
// verdict: SAFE
// options: --strategy=dpor
// case: update -DUPDATE
// verdict: SAFE
// options: --strategy=dpor
// case: blind -DUPDATE -DBLIND
// verdict: BUG
// options: --strategy=dpor
// finding: assertion A
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int first, second, taken;

#ifdef UPDATE
static void await(void) {
  for (;;) {
    if (atomic_load(&second)) return;
    int one = 1;
    bool took = atomic_compare_exchange_strong(&first, &one, 2);
#ifdef BLIND
    took = took || one == 2;
#endif
    if (!took) continue;
    atomic_fetch_add(&taken, 1);
    return;
  }
}
#else
static void await(void) {
  while (!atomic_load(&first) && !atomic_load(&second)) continue;
}
#endif

static void *waiter(void *argument) {
  await();
  return argument;
}

static void *pulse(void *argument) {
  atomic_store(&first, 1);
#ifndef UPDATE
  atomic_store(&first, 0);
#endif
  return argument;
}

static void *raise(void *argument) {
  atomic_store(&second, 1);
  return argument;
}

int main(void) {
  pthread_t t[4];
  int n = 0;
  pthread_create(&t[n++], 0, waiter, 0);
#ifdef TWO
  pthread_create(&t[n++], 0, waiter, 0);
#endif
  pthread_create(&t[n++], 0, pulse, 0);
  pthread_create(&t[n++], 0, raise, 0);
#ifdef UPDATE
  await();
#endif
  for (int i = 0; i < n; i++) pthread_join(t[i], 0);
  hd_assert(taken < 2);  // @A
  return 0;
}
