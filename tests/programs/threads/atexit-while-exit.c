// One thread registers a handler while another one ends the process: the handler runs or does not, and nothing is wrong with that.
// verdict: SAFE
// case: dpor
// options: --strategy=dpor
// verdict: SAFE
// case: wrong -DWRONG
// verdict: BUG
// finding: assertion A
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int twice;

static void handler(void) {
  twice++;
#ifdef WRONG
  assert(twice == 2);  // @A
#else
  assert(twice <= 2);
#endif
}

static void *registers(void *unused) {
  atexit(handler);
  return unused;
}

int main(void) {
  pthread_t t;
  atexit(handler);
  pthread_create(&t, 0, registers, 0);
  exit(0);
}
