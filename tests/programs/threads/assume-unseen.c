// A false assumption that ends the execution before the other thread, which has just been created, has done anything: what that one does is
// seen all the same, here the race, and the order in which the assumption is true.
// options: --strategy=naive
// verdict: BUG
// finding: data-race A B
// finding: assertion C
// case: dpor
// options: --strategy=dpor
// verdict: BUG
// finding: data-race A B
// finding: assertion C
// case: unfolding
// options: --strategy=unfolding
// verdict: BUG
// finding: data-race A B
// finding: assertion C
// case: maximal
// verdict: BUG
// finding: data-race A B
// finding: assertion C
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static int x;

static void *writes(void *unused) {
  x = 1; // @A
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writes, 0);
  hd_assume(x == 1); // @B
  assert(0);         // @C
  return 0;
}
