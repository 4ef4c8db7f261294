// What was read before setjmp() is used behind its second return alone: nothing else shows that it still matters.
// verdict: BUG
// options: --strategy=maximal
// finding: assertion A
// case: naive
// verdict: BUG
// options: --strategy=naive
// finding: assertion A
// case: dpor
// verdict: BUG
// options: --strategy=dpor
// finding: assertion A
// case: optimised -O1
// verdict: BUG
// finding: assertion A
// case: fixed -DFIXED
// verdict: SAFE
// case: fixed-naive -DFIXED
// verdict: SAFE
// options: --strategy=naive
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, ready;
static jmp_buf again;
static int seen;

static void *writer(void *argument) {
  (void)argument;
  atomic_store(&x, 1);
  atomic_store(&ready, 1);
  return NULL;
}

static void *reader(void *argument) {
  (void)argument;
  int before = atomic_load(&x);
  if (setjmp(again) == 0) {
    seen = atomic_load(&ready);
    longjmp(again, 1);
  }
#ifdef FIXED
  before = atomic_load(&x);
#endif
  assert(before == 1 || seen == 0);  // @A
  return NULL;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, writer, NULL);
  pthread_create(&u, NULL, reader, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
