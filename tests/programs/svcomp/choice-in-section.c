// A choice in an atomic section makes it several steps; other threads' steps come before the first of them or behind the last.
// verdict: BUG
// options: --strategy=dpor
// finding: assertion A
// case: whole -DWHOLE
// verdict: SAFE
// options: --strategy=dpor
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

static atomic_int x;
static int seen;

static void *reader(void *argument) {
  seen = atomic_load(&x);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  __VERIFIER_atomic_begin();
  atomic_store(&x, 1);
  int last = __VERIFIER_nondet_bool();
  atomic_store(&x, 2 + last);
  __VERIFIER_atomic_end();
  pthread_join(t, 0);
#ifdef WHOLE
  hd_assert(seen != 1);
#else
  hd_assert(seen != 0); // @A
#endif
  return 0;
}
