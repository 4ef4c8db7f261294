// Tasks define reach_error() themselves, by way of assert().
// verdict: BUG
// finding: assertion A
// case: fixed -DFIXED
// verdict: SAFE
#include <assert.h>
#include <pthread.h>

void reach_error(void) { assert(0); }  // @A

static void check(int condition) {
  if (!condition) reach_error();
}

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int cnt;

static void *thread(void *unused) {
  (void)unused;
#ifdef FIXED
  __VERIFIER_atomic_begin();
  cnt++;
  __VERIFIER_atomic_end();
#else
  __VERIFIER_atomic_begin();
  int seen = cnt;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  cnt = seen + 1;
  __VERIFIER_atomic_end();
#endif
  return 0;
}

int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, thread, 0);
  pthread_create(&t2, 0, thread, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  check(cnt == 2);
  return 0;
}
