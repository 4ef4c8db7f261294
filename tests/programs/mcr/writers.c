// Many writers and a reader behind the last join: an execution for each value, however many orders there are.
// verdict: BOUNDED
// options: --strategy=mcr
// executions: 8
// case: equal -DEQUAL
// verdict: BOUNDED
// options: --strategy=mcr
// executions: 1
// case: wrong -DWRONG
// verdict: BUG
// options: --strategy=mcr
// finding: assertion A
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 8
#ifdef EQUAL
#define VALUE(i) 1
#else
#define VALUE(i) ((i) + 1)
#endif

static atomic_int x;

static void *writer(void *i) {
  atomic_store(&x, VALUE((int)(intptr_t)i));
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, writer, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  int last = atomic_load(&x);
  hd_assert(last > 0);
#ifdef WRONG
  hd_assert(last != 3); /* @A */
#endif
  return 0;
}
