// indexer(N) of Flanagan and Godefroid: threads insert four messages each into a hash table of 128 entries with compare-and-swap;
// their hashes only meet from twelve threads on, so eleven make a single trace.
// verdict: SAFE
// options: --strategy=dpor
// executions: 1
// case: twelve -DN=12
// verdict: SAFE
// options: --strategy=dpor
// executions: 8
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 11
#endif
#define SIZE 128
#define MAX  4

static atomic_int table[SIZE];
static int names[N];

static void *insert(void *argument) {
  int tid = *(int *)argument;
  for (int m = 0; m < MAX;) {
    int w = (++m) * 11 + tid;
    int h = (w * 7) % SIZE;
    int empty = 0;
    while (!atomic_compare_exchange_strong(&table[h], &empty, w)) {
      h = (h + 1) % SIZE;
      empty = 0;
    }
  }
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) {
    names[i] = i;
    pthread_create(&t[i], 0, insert, &names[i]);
  }
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
