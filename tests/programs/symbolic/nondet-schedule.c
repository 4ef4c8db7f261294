// A value of one thread and a moment of another one, together; what else the program has is a race that is not asked for.
// verdict: BUG
// options: --only=assertion
// finding: assertion A
// case: fixed
// options: --only=assertion
// verdict: SAFE
// cflags: -DFIXED
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assert(int);

static unsigned shared;
static int noise;

static void *writer(void *unused) {
  unsigned x = __VERIFIER_nondet_uint();
  noise++;
  __VERIFIER_atomic_begin();
  shared = x;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
#ifndef FIXED
  shared = x ^ 1;
#endif
  __VERIFIER_atomic_end();
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  noise++;
  __VERIFIER_atomic_begin();
  unsigned seen = shared;
  __VERIFIER_atomic_end();
  pthread_join(t, 0);
  __VERIFIER_assert(seen != 1 - 0x12345678u || shared == seen); // @A
  return 0;
}
