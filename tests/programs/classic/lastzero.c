// lastzero(N): N writers fill an array from its left neighbours, one reader looks for the last zero from the right.
// (N + 3) * 2^(N-2) traces (Abdulla et al., POPL 2014).
// verdict: SAFE
// options: --strategy=dpor
// executions: 28
// case: five -DN=5
// verdict: SAFE
// options: --strategy=dpor
// executions: 64
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int array[N + 1];
static int names[N + 1];

static void *reader(void *unused) {
  (void)unused;
  int i = N;
  while (atomic_load(&array[i]) != 0) i--;
  assert(i >= 0);
  return 0;
}

static void *writer(void *argument) {
  int j = *(int *)argument;
  atomic_store(&array[j], atomic_load(&array[j - 1]) + 1);
  return 0;
}

int main(void) {
  pthread_t t[N + 1];
  for (int i = 0; i <= N; i++) names[i] = i;
  pthread_create(&t[0], 0, reader, 0);
  for (int i = 1; i <= N; i++) pthread_create(&t[i], 0, writer, &names[i]);
  for (int i = 0; i <= N; i++) pthread_join(t[i], 0);
  return 0;
}
