// Two threads without an end. The exchange that succeeds leads back to the beginning, so it is a cutoff; that it could have come before the
// store, and failed, must be found all the same. With -DBETWEEN a third thread's exchange can come between the two.
// verdict: BUG
// options: --strategy=unfolding --cutoffs
// finding: assertion A
// case: between
// verdict: BUG
// options: --strategy=unfolding --cutoffs
// cflags: -DBETWEEN
// finding: assertion A
// case: maximal
// verdict: BUG
// cflags: -DBETWEEN
// finding: assertion A
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *take(void *unused) {
  for (;;) {
    int seen = 1;
    if (!atomic_compare_exchange_strong(&x, &seen, 0)) assert(seen != 0); // @A
  }
  return unused;
}

static void *steal(void *unused) {
  for (int seen = 1; !atomic_compare_exchange_strong(&x, &seen, 2);) seen = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, take, NULL);
#ifdef BETWEEN
  pthread_create(&t, NULL, steal, NULL);
#else
  (void)steal;
#endif
  for (;;) atomic_store(&x, 1);
}
