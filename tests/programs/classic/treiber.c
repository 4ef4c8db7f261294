// A Treiber stack: two pushes and a pop. The twin pops without compare-and-swap.
// verdict: SAFE
// options: --strategy=dpor
// executions: 20
// case: store -DSTORE
// verdict: BUG
// options: --strategy=dpor
// finding: assertion A
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
  _Atomic(struct node *) next;
};

static struct node nodes[2];
static _Atomic(struct node *) top;

static void push(struct node *n) {
  struct node *old = atomic_load(&top);
  do atomic_store(&n->next, old);
  while (!atomic_compare_exchange_strong(&top, &old, n));
}

static struct node *pop(void) {
  struct node *old = atomic_load(&top);
  while (old) {
    struct node *next = atomic_load(&old->next);
#ifdef STORE
    atomic_store(&top, next);
    return old;
#else
    if (atomic_compare_exchange_strong(&top, &old, next)) return old;
#endif
  }
  return 0;
}

static void *pusher(void *argument) {
  push(argument);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, pusher, &nodes[i]);
  int count = pop() != 0;
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  while (pop()) count++;
  hd_assert(count == 2);  // @A
  return 0;
}
