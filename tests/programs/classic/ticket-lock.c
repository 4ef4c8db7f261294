// A ticket lock; the counter it protects is plain, so a broken lock is a data race. The twin takes its ticket in two steps.
// verdict: SAFE
// options: --strategy=dpor
// case: split -DSPLIT
// verdict: BUG
// options: --strategy=dpor
// finding: data-race A A
// finding?: assertion
// finding?: deadlock
// case: count -DASSUME
// verdict: SAFE
// options: --strategy=dpor
// executions: 6
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#ifdef ASSUME
#define await(condition) hd_assume(condition)
#else
#define await(condition) \
  while (!(condition)) { \
  }
#endif

static atomic_int next_ticket, now_serving;
static int counter;

static void *work(void *unused) {
  (void)unused;
#ifdef SPLIT
  int ticket = atomic_load(&next_ticket);
  atomic_store(&next_ticket, ticket + 1);
#else
  int ticket = atomic_fetch_add(&next_ticket, 1);
#endif
  await(atomic_load(&now_serving) == ticket);
  counter++;  // @A
  atomic_store(&now_serving, ticket + 1);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  hd_assert(counter == N);
  return 0;
}
