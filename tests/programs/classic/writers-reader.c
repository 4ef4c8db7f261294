// N writers and one reader of one variable: every order of the N + 1 accesses is a trace of its own: (N + 1)!.
// verdict: SAFE
// options: --strategy=dpor
// executions: 24
// case: four -DN=4
// verdict: SAFE
// options: --strategy=dpor
// executions: 120
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x;
static int names[N];

static void *writer(void *argument) {
  atomic_store(&x, *(int *)argument);
  return 0;
}

static void *reader(void *unused) {
  (void)unused;
  assert(atomic_load(&x) <= N);
  return 0;
}

int main(void) {
  pthread_t t[N + 1];
  for (int i = 0; i < N; i++) {
    names[i] = i + 1;
    pthread_create(&t[i], 0, writer, &names[i]);
  }
  pthread_create(&t[N], 0, reader, 0);
  for (int i = 0; i <= N; i++) pthread_join(t[i], 0);
  return 0;
}
