// A thread waits for a value that is symbolic: to change, and to be what it is compared with.
// verdict: BUG
// finding: assertion A
// case: fixed
// verdict: SAFE
// cflags: -DFIXED
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic unsigned char flag;
static unsigned char input;

static void *other(void *unused) {
  (void)unused;
  flag = input;
  flag = 1;
  return NULL;
}

int main(void) {
  pthread_t thread;
  unsigned char last;
  hd_symbolic(&input, sizeof input, "input");
  hd_assume(input < 4);
  pthread_create(&thread, NULL, other, NULL);
  while (!(last = flag)) continue;
  pthread_join(thread, NULL);
#ifdef FIXED
  hd_assert(last == 1 || last == input);
#else
  hd_assert(last == 1 || input != 3); /* @A */
#endif
  return 0;
}
