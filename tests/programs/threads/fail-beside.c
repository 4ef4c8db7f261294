// Threads that fail one beside the other, whatever the rest does: every failure is found, and the states in which one can fail do not
// make an execution each. What waits for a thread that has failed waits for ever, and that is no finding of its own.
//
// options: --strategy=maximal
// verdict: BUG
// finding: null-dereference A
// finding: assertion B
// executions: 11
// case: dpor
// options: --strategy=dpor
// verdict: BUG
// finding: null-dereference A
// finding: assertion B
// case: tso
// options: --strategy=maximal
// memory: tso
// verdict: BUG
// finding: null-dereference A
// finding: assertion B
// case: fixed -DFIXED
// options: --strategy=maximal
// verdict: SAFE
// executions: 1
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int value = 1;
static _Atomic(int *) where = &value;
static atomic_int turns, told;

static void *look(void *unused) {
  (void)unused;
  int *at = atomic_load(&where);
#ifdef FIXED
  if (at)
#endif
    (void)*(volatile int *)at;  // @A
  atomic_store(&told, 1);
  return NULL;
}

static void *take_away(void *unused) {
  (void)unused;
  atomic_store(&where, NULL);
  for (int i = 0; i < 3; i++) atomic_fetch_add(&turns, 1);
#ifndef FIXED
  hd_assert(atomic_load(&turns) < 3);  // @B
#endif
  return NULL;
}

static void *wait(void *unused) {
  (void)unused;
  while (!atomic_load(&told)) continue;
  return NULL;
}

int main(void) {
  void *(*const run[])(void *) = {look, look, take_away, wait};
  pthread_t thread[4];
  for (int i = 0; i < 4; i++) pthread_create(&thread[i], NULL, run[i], NULL);
  for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
  return 0;
}
