// A part of the program that one thread at a time is to be in, kept by a flag that is looked at before it is set. The only execution that is
// made lets each thread leave before the next one looks; what is read then returns the same in the order that lets both in.
// verdict: BUG
// options: --predict --executions=2 --property={here}/together.property
// executions: 1
// finding: property IN
// case: not-predicted
// verdict: BOUNDED
// options: --executions=2 --property={here}/together.property
// case: fixed -DFIXED
// verdict: SAFE
// options: --predict --property={here}/together.property
// case: fixed-first-execution -DFIXED
// verdict: BOUNDED
// options: --predict --executions=2 --property={here}/together.property
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;

static int enter(void) {
#ifdef FIXED
  return atomic_exchange(&taken, 1) == 0;
#else
  if (atomic_load(&taken)) return 0;
  atomic_store(&taken, 1);
  return 1;
#endif
}

static void *worker(void *unused) {
  if (!enter()) return unused;
  HD_EVENT("in", &taken);  // @IN
  atomic_store(&taken, 0);
  return unused;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
