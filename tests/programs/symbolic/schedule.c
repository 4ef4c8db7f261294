// A value and a schedule together.
// verdict: BUG
// finding: assertion A
// case: dpor
// verdict: BUG
// options: --strategy=dpor
// finding: assertion A
// case: fixed
// verdict: SAFE
// cflags: -DFIXED
// case: fixed-naive
// verdict: SAFE
// options: --strategy=naive
// cflags: -DFIXED
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared, seen;

static void *other(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  if (shared == 0x1234567) seen = 1;
  shared = 5;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t thread;
  int value;
  hd_symbolic(&value, sizeof value, "value");
#ifdef FIXED
  hd_assume(value != (0x1234567 ^ 77));
#endif
  pthread_create(&thread, NULL, other, NULL);
  pthread_mutex_lock(&lock);
  shared = value ^ 77;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  hd_assert(!seen); /* @A */
  return 0;
}
