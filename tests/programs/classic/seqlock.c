// A sequence lock over two words; the twin's reader does not look at the sequence number again.
// verdict: SAFE
// options: --strategy=dpor
// executions: 14
// case: once -DONCE
// verdict: BUG
// options: --strategy=dpor
// finding: assertion A
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int low, high;

static void *writer(void *unused) {
  (void)unused;
  atomic_fetch_add(&sequence, 1);
  atomic_store(&low, 1);
  atomic_store(&high, 1);
  atomic_fetch_add(&sequence, 1);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  unsigned before = atomic_load(&sequence);
  int a = atomic_load(&low), b = atomic_load(&high);
#ifdef ONCE
  int valid = before % 2 == 0;
#else
  int valid = before % 2 == 0 && atomic_load(&sequence) == before;
#endif
  if (valid) hd_assert(a == b);  // @A
  pthread_join(t, 0);
  return 0;
}
