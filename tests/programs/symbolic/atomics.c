// Atomic updates with inputs: the sum and the largest of two threads' inputs, without an execution for each value.
// verdict: SAFE
// executions: 12
// case: bug
// verdict: BUG
// cflags: -DBUG
// finding: assertion A
// case: exchange
// verdict: SAFE
// cflags: -DEXCHANGE
// case: exchange-bug
// verdict: BUG
// cflags: -DEXCHANGE -DBUG
// finding: assertion A
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static atomic_int sum, best;
static int in[2];

static void *add(void *p) {
  int x = *(int *)p = __VERIFIER_nondet_int();
  atomic_fetch_add(&sum, x);
#ifdef EXCHANGE
  atomic_exchange(&best, x);
#else
  int old = best;
  while (x > old && !atomic_compare_exchange_strong(&best, &old, x)) {
  }
#endif
  return p;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, add, &in[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  hd_assert((unsigned)sum == (unsigned)in[0] + (unsigned)in[1]);
#ifdef BUG
  hd_assert(sum != 123456789 || best != 100000000); /* @A */
#elif defined EXCHANGE
  hd_assert(best == in[0] || best == in[1]);
#else
  hd_assert(best >= in[0] && best >= in[1] && (best == 0 || best == in[0] || best == in[1]));
#endif
  return 0;
}
