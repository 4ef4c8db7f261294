// readers(N): one writer and N readers of one variable: each reader comes before or after the write: 2^N traces.
// verdict: SAFE
// options: --strategy=dpor
// executions: 16
// case: eight -DN=8
// verdict: SAFE
// options: --strategy=dpor
// executions: 256
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int x;

static void *writer(void *unused) {
  (void)unused;
  atomic_store(&x, 1);
  return 0;
}

static void *reader(void *unused) {
  (void)unused;
  (void)atomic_load(&x);
  return 0;
}

int main(void) {
  pthread_t t[N + 1];
  pthread_create(&t[N], 0, writer, 0);
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, reader, 0);
  for (int i = 0; i <= N; i++) pthread_join(t[i], 0);
  return 0;
}
