// Loops that ask for values as long as it pleases them: states are known again. The value that leaves the loop is none of those that are sampled.
// verdict: SAFE
// case: sample
// verdict: BOUNDED
// options: --data=sample
// case: threads
// verdict: SAFE
// cflags: -DTHREADS
// case: bug
// verdict: BUG
// cflags: -DBUG
// finding: assertion A
// case: bool
// verdict: SAFE
// cflags: -DBOOL
#include <heddle.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);

static int input(void) {
#ifdef BOOL
  return __VERIFIER_nondet_bool() ? 'q' : 0;
#else
  return __VERIFIER_nondet_int();
#endif
}

static int state;

static void *serve(void *unused) {
  for (;;) {
    int x = input();
    if (x == 'q') break;
#ifdef BUG
    state = x == 1000 ? state + 1 : 0;
    hd_assert(state < 2); /* @A */
#endif
  }
  return unused;
}

int main(void) {
#ifdef THREADS
  pthread_t t;
  pthread_create(&t, 0, serve, 0);
  serve(0);
  pthread_join(t, 0);
#else
  serve(0);
#endif
  return state;
}
