// Choices of two independent threads: 2 x 3 executions.
// verdict: SAFE
// options: --strategy=dpor
// executions: 6
// case: low -DLOW
// verdict: BUG
// options: --strategy=dpor
// finding: assertion A
#include <heddle.h>
#include <pthread.h>

static unsigned a, b;

static void *two(void *unused) {
  (void)unused;
  a = hd_choose(2);
  return 0;
}

static void *three(void *unused) {
  (void)unused;
  b = hd_choose(3);
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, two, 0);
  pthread_create(&t[1], 0, three, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
#ifdef LOW
  hd_assert(a + b < 3);  // @A
#else
  hd_assert(a + b <= 3);
#endif
  return 0;
}
