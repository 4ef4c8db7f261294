// Three threads of two increments each on one atomic counter: every order of six dependent steps, 6! / (2! 2! 2!) traces.
// verdict: SAFE
// options: --strategy=dpor
// executions: 90
// case: two-of-three -DN=2 -DSTEPS=3
// verdict: SAFE
// options: --strategy=dpor
// executions: 20
// case: independent -DINDEPENDENT
// verdict: SAFE
// options: --strategy=dpor
// executions: 1
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#ifndef STEPS
#define STEPS 2
#endif

static atomic_int counters[N];
static int names[N];

static void *count(void *argument) {
#ifdef INDEPENDENT
  int mine = *(int *)argument;
#else
  int mine = 0;
  (void)argument;
#endif
  for (int i = 0; i < STEPS; i++) atomic_fetch_add(&counters[mine], 1);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) {
    names[i] = i;
    pthread_create(&t[i], 0, count, &names[i]);
  }
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
