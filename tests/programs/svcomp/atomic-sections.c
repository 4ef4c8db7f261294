// Functions named __VERIFIER_atomic_* are atomic as a whole.
// verdict: SAFE
// case: torn -DTORN
// verdict: BUG
// finding: data-race|assertion
#include <pthread.h>

extern void __VERIFIER_assert(int);

static int value, locked;

static void __VERIFIER_atomic_acquire(void) {
  extern void __VERIFIER_assume(int);
  __VERIFIER_assume(locked == 0);
  locked = 1;
}
static void __VERIFIER_atomic_release(void) { locked = 0; }

static void *work(void *unused) {
  (void)unused;
#ifndef TORN
  __VERIFIER_atomic_acquire();
#endif
  int seen = value;
  value = seen + 1;
  __VERIFIER_assert(value == seen + 1);
#ifndef TORN
  __VERIFIER_atomic_release();
#endif
  return 0;
}

int main(void) {
  pthread_t t[2];
  (void)__VERIFIER_atomic_acquire;
  (void)__VERIFIER_atomic_release;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  __VERIFIER_assert(value == 2);
  return 0;
}
