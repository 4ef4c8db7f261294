// An undefined value goes through an atomic object to another thread, which decides by it; handing it on is allowed.
// verdict: BUG
// finding: uninitialised A
// case: store-dpor
// options: --strategy=dpor
// verdict: BUG
// finding: uninitialised A
// case: store-tso
// memory: tso
// verdict: BUG
// finding: uninitialised A
// case: store-optimised -O1
// verdict: BUG
// finding: uninitialised A
// case: exchange -DEXCHANGE
// verdict: BUG
// finding: uninitialised A
// case: add -DADD
// verdict: BUG
// finding: uninitialised A
// case: compare -DCOMPARE
// verdict: BUG
// finding: uninitialised A
// case: expected -DEXPECTED
// verdict: BUG
// finding: uninitialised B
// case: masked -DMASKED
// verdict: SAFE
// case: handed -DHANDED
// verdict: SAFE
// case: fixed -DFIXED
// verdict: SAFE
// case: fixed-exchange -DFIXED -DEXCHANGE
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;
static int got;

static void *give(void *unused) {
#ifdef FIXED
  int *y = calloc(1, sizeof *y);
#else
  int *y = malloc(sizeof *y);
#endif
  int zero = 0;
#ifdef EXCHANGE
  atomic_exchange(&x, *y);
#elif defined ADD
  atomic_fetch_add_explicit(&x, *y, memory_order_relaxed);
#elif defined COMPARE
  atomic_compare_exchange_strong(&x, &zero, *y);
#elif defined EXPECTED
  atomic_compare_exchange_strong(&x, y, zero);  // @B
#elif defined MASKED
  atomic_fetch_and(&x, *y); /* of zero */
#else
  atomic_store(&x, *y);
#endif
  (void)zero;
  free(y);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, give, 0);
#ifdef HANDED
  got = x;
  x = got;
#else
  if (x == 1) got = 1;  // @A
#endif
  pthread_join(t, 0);
  return 0;
}
