// An airline sells a seat too many: sellers test a flag that is set after the sale. The twin sells under the test's protection.
// verdict: BUG
// options: --strategy=dpor
// finding: assertion A
// case: fixed -DFIXED
// verdict: SAFE
// options: --strategy=dpor
// executions: 6
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#define SELLERS 3
#define SEATS   2

static atomic_int sold, stop;

static void *sell(void *unused) {
  (void)unused;
#ifdef FIXED
  if (atomic_fetch_add(&sold, 1) >= SEATS) atomic_fetch_sub(&sold, 1);
#else
  if (atomic_load(&stop)) return 0;
  if (atomic_fetch_add(&sold, 1) + 1 >= SEATS) atomic_store(&stop, 1);
#endif
  return 0;
}

int main(void) {
  pthread_t t[SELLERS];
  (void)stop;
  for (int i = 0; i < SELLERS; i++) pthread_create(&t[i], 0, sell, 0);
  for (int i = 0; i < SELLERS; i++) pthread_join(t[i], 0);
  hd_assert(atomic_load(&sold) <= SEATS);  // @A
  return 0;
}
