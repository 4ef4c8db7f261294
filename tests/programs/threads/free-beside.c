// A free that fails, and races with the read of a thread that fails alone: no execution can have the one behind the other.
//
// options: --strategy=maximal
// verdict: BUG
// finding: bad-free C
// finding: assertion B
// finding: data-race B C
// case: naive
// options: --strategy=naive
// verdict: BUG
// finding: bad-free C
// finding: assertion B
// finding: data-race B C
// case: workers
// options: --strategy=maximal -j 2
// verdict: BUG
// finding: bad-free C
// finding: assertion B
// finding: data-race B C
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int a, b;

static void *release(void *unused) {
  atomic_store(&a, 1);
  free((char *)&a); // @C
  return unused;
}

static void *read_it(void *unused) {
  atomic_store(&b, 1);
  assert(atomic_load(&a) == 0); // @B
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, release, NULL);
  pthread_create(&t[1], NULL, read_it, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
