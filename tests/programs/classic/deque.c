// A work-stealing deque (Chase and Lev, fixed size): the owner takes at the bottom, a thief at the top.
// The twin takes the last item without competing for it.
// verdict: SAFE
// options: --strategy=dpor
// executions: 12
// case: greedy -DGREEDY
// verdict: BUG
// options: --strategy=dpor
// finding: assertion A
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top, bottom;
static atomic_int items[4];
static atomic_int taken[4];

static void push(int item) {
  int b = atomic_load(&bottom);
  atomic_store(&items[b], item);
  atomic_store(&bottom, b + 1);
}

static int take(void) {
  int b = atomic_load(&bottom) - 1;
  atomic_store(&bottom, b);
  int t = atomic_load(&top);
  if (t > b) {
    atomic_store(&bottom, t);
    return -1;
  }
  int item = atomic_load(&items[b]);
  if (t == b) {
#ifndef GREEDY
    if (!atomic_compare_exchange_strong(&top, &t, t + 1)) item = -1;
#endif
    atomic_store(&bottom, b + 1);
  }
  return item;
}

static int steal(void) {
  int t = atomic_load(&top);
  if (t >= atomic_load(&bottom)) return -1;
  int item = atomic_load(&items[t]);
  return atomic_compare_exchange_strong(&top, &t, t + 1) ? item : -1;
}

static void claim(int item) {
  if (item >= 0) hd_assert(atomic_fetch_add(&taken[item], 1) == 0);  // @A
}

static void *thief(void *unused) {
  (void)unused;
  claim(steal());
  return 0;
}

int main(void) {
  pthread_t t;
  push(0);
  push(1);
  pthread_create(&t, 0, thief, 0);
  claim(take());
  claim(take());
  pthread_join(t, 0);
  return 0;
}
