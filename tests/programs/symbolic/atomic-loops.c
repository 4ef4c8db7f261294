// Loops of atomic updates with inputs end: values come back, however long the loop.
// verdict: SAFE
// options: --ignore=livelock
// case: endless
// verdict: SAFE
// cflags: -DENDLESS
// options: --ignore=livelock
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint word = 2;
static atomic_int done;

static void *toggles(void *p) {
  unsigned char x;
#ifdef ENDLESS
  for (;;) {
    hd_symbolic(&x, 1, "x");
    atomic_exchange(&word, x & 1u);
  }
#else
  hd_symbolic(&x, 1, "x");
  while (!done) atomic_fetch_xor(&word, x & 1u);
#endif
  return p;
}

static void *ends(void *p) {
#ifdef ENDLESS
  return toggles(p);
#else
  atomic_fetch_sub(&word, 2);
  done = 1;
  return p;
#endif
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, toggles, 0);
  pthread_create(&t[1], 0, ends, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  hd_assert(word <= 1 || word >= 0xfffffffeu);
  return 0;
}
