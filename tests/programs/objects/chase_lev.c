// The deque of Chase and Lev (SPAA 2005): the owner makes its end known and then looks at the thieves' end. Without a fence between the two
// the store waits in the buffer, and owner and thief take one element. Under sc there is nothing to be seen.
// verdict: SAFE
// options: --linearizable --arguments=1
// case: tso
// options: --linearizable --arguments=1
// memory: tso
// verdict: BUG
// finding: not-linearizable
// case: pso
// options: --linearizable --arguments=1
// memory: pso
// verdict: BUG
// finding: not-linearizable
// case: fenced-tso -DFIXED
// options: --linearizable --arguments=1
// memory: tso
// verdict: SAFE
// case: fenced-pso -DFIXED
// options: --linearizable --arguments=1
// memory: pso
// verdict: SAFE
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SIZE = 16 };
static atomic_int element[SIZE], top, bottom;
static pthread_mutex_t owner; // there is one at a time

static void fence(void) {
#ifdef FIXED
  atomic_thread_fence(memory_order_seq_cst);
#endif
}

static int get(atomic_int *x) { return atomic_load_explicit(x, memory_order_relaxed); }
static void set(atomic_int *x, int to) { atomic_store_explicit(x, to, memory_order_relaxed); }

HD_BEGIN(void) {
  pthread_mutex_init(&owner, 0);
  for (int i = 0; i < SIZE; i++) element[i] = 10 + i;
  bottom = 2;
}

static int take(void) {
  int b = get(&bottom) - 1;
  set(&bottom, b);
  fence();
  int t = get(&top), x = -1;
  if (t <= b) x = get(&element[b]);
  if (t == b && !atomic_compare_exchange_strong(&top, &t, t + 1)) x = -1;
  if (t >= b) set(&bottom, b + 1);
  return x;
}

HD_OPERATION(take) {
  pthread_mutex_lock(&owner);
  int x = take();
  pthread_mutex_unlock(&owner);
  return x;
}

HD_OPERATION(steal) {
  for (;;) {
    int t = get(&top);
    fence();
    int b = get(&bottom);
    if (t >= b) return -1;
    int x = get(&element[t]);
    if (atomic_compare_exchange_strong(&top, &t, t + 1)) return x;
  }
}
