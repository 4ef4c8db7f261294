// longjmp() ends the lives of the locals that it jumps over.
// verdict: BUG
// options: --strategy=maximal
// finding: use-after-free A
// finding?: data-race
// case: dpor-sc
// verdict: BUG
// options: --strategy=dpor
// finding: use-after-free A
// finding?: data-race
// case: naive-sc
// verdict: BUG
// options: --strategy=naive
// finding: use-after-free A
// finding?: data-race
// case: fixed-maximal-sc -DFIXED
// verdict: SAFE
// options: --strategy=maximal
// case: fixed-dpor-sc -DFIXED
// verdict: SAFE
// options: --strategy=dpor
// case: fixed-naive-sc -DFIXED
// verdict: SAFE
// options: --strategy=naive
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int *_Atomic box;
static atomic_int steps;
static jmp_buf out;

static void *worker(void *argument) {
  (void)argument;
  atomic_int *x = atomic_load(&box);
  if (x) atomic_store(x, 1);  // @A
  return NULL;
}

static void inner(void) {
#ifdef FIXED
  static
#endif
      atomic_int flag;
  atomic_init(&flag, 0);
  atomic_store(&box, &flag);
  longjmp(out, 1);
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  if (setjmp(out) == 0) inner();
  atomic_fetch_add(&steps, 1);
  pthread_join(t, NULL);
  return 0;
}
