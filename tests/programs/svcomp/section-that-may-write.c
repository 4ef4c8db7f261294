// An atomic section that writes y only where x is 0 depends on a reader of y also where it did not write: an order was lost.
// verdict: BUG
// options: --strategy=dpor
// finding: assertion A
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x, y;
static int seen, wrote;

static void *reader(void *argument) {
  seen = atomic_load(&y);
  return 0;
}

static void *disturber(void *argument) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  atomic_store(&x, 1);
  pthread_join(t, 0);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, disturber, 0);
  __VERIFIER_atomic_begin();
  if (atomic_load(&x) == 0) {
    atomic_store(&y, 1);
    wrote = 1;
  }
  __VERIFIER_atomic_end();
  pthread_join(t, 0);
  hd_assert(!wrote || seen);  // @A
  return 0;
}
