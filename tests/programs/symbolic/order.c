// With an input of 0 both orders lead to the same values, which are not the same with others: no state may be taken for the other.
// verdict: BUG
// finding: assertion A
// case: other-first
// verdict: BUG
// cflags: -DOTHER_FIRST
// finding: assertion A
// case: naive
// verdict: BUG
// options: --strategy=naive
// finding: assertion A
// case: fixed
// verdict: SAFE
// cflags: -DFIXED
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int last;
static int input;

static void *other(void *unused) {
  (void)unused;
#ifdef OTHER_FIRST
  last = input;
#else
  last = 0;
#endif
  return NULL;
}

int main(void) {
  pthread_t thread;
  hd_symbolic(&input, sizeof input, "input");
#ifdef FIXED
  hd_assume(input != 3);
#endif
  pthread_create(&thread, NULL, other, NULL);
#ifdef OTHER_FIRST
  last = 0;
#else
  last = input;
#endif
  pthread_join(thread, NULL);
  hd_assert(last != 3); /* @A */
  return 0;
}
