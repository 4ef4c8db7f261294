// A loop that waits for another thread, and whose turns differ in memory of its own, but not with an input of 0.
// verdict: BUG
// finding: assertion A
// case: fixed
// verdict: SAFE
// cflags: -DFIXED
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *other(void *unused) {
  flag = 1;
  return unused;
}

int main(void) {
  unsigned char in;
  pthread_t t;
  volatile unsigned char turns[4] = {0};
  hd_symbolic(&in, 1, "in");
  hd_assume((in & 253) == 0);
  pthread_create(&t, 0, other, 0);
  while (!flag) turns[3] = turns[2], turns[2] = turns[1], turns[1] = turns[0], turns[0] = in;
  pthread_join(t, 0);
#ifdef FIXED
  hd_assert(turns[3] == 0 || turns[3] == in);
#else
  hd_assert(turns[3] != 2); /* @A */
#endif
  return 0;
}
