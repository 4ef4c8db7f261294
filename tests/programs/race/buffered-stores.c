// Two plain stores to one variable and a read of another thread: the read may see the one or the other, so it races with both, whether
// stores are buffered or not. The order in which stores are issued and others read is not one that is reversed; that of flushes is.
//
// memory: sc
// options: --strategy=naive
// verdict: BUG
// finding: data-race first read
// finding: data-race second read
// case: sc-dpor
// memory: sc
// options: --strategy=dpor
// verdict: BUG
// finding: data-race first read
// finding: data-race second read
// case: tso-naive
// memory: tso
// options: --strategy=naive
// verdict: BUG
// finding: data-race first read
// finding: data-race second read
// case: tso-dpor
// memory: tso
// options: --strategy=dpor
// verdict: BUG
// finding: data-race first read
// finding: data-race second read
// case: pso-naive
// memory: pso
// options: --strategy=naive
// verdict: BUG
// finding: data-race first read
// finding: data-race second read
// case: pso-dpor
// memory: pso
// options: --strategy=dpor
// verdict: BUG
// finding: data-race first read
// finding: data-race second read
#include <pthread.h>

static int x;

static void *reader(void *unused) {
  (void)unused;
  return x ? NULL : &x; /* @read */
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, reader, 0);
  x = 1; /* @first */
  x = 2; /* @second */
  pthread_join(thread, 0);
  return 0;
}
