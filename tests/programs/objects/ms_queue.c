// The queue of Michael and Scott (PODC 1996): a dequeue that looks whether the head is still the same, and then stores the next one, lets
// two threads take one element; it has to compare and exchange.
// verdict: BUG
// options: --linearizable --arguments=1
// finding: not-linearizable
// case: exchanged -DFIXED
// options: --linearizable --arguments=1
// verdict: SAFE
#include <heddle.h>
#include <stdatomic.h>

struct node {
  int value;
  _Atomic(struct node *) next;
};
static struct node nodes[16];
static _Atomic(struct node *) head, tail;
static atomic_int used;

HD_BEGIN(void) {
  head = tail = &nodes[0];
  used = 1;
}

static int enqueue(int value) {
  struct node *n = &nodes[used++];
  n->value = value;
  for (;;) {
    struct node *last = tail, *next = last->next;
    if (next) {
      atomic_compare_exchange_strong(&tail, &last, next);
      continue;
    }
    if (!atomic_compare_exchange_strong(&last->next, &next, n)) continue;
    atomic_compare_exchange_strong(&tail, &last, n);
    return 0;
  }
}

static int dequeue(void) {
  for (;;) {
    struct node *first = head, *last = tail, *next = first->next;
    if (!next) return -1;
    if (first == last) {
      atomic_compare_exchange_strong(&tail, &last, next);
      continue;
    }
    int value = next->value;
#ifdef FIXED
    if (!atomic_compare_exchange_strong(&head, &first, next)) continue;
#else
    if (head != first) continue;
    head = next;
#endif
    return value;
  }
}

HD_OPERATION(put, int value) { return enqueue(value); }
HD_OPERATION(get) { return dequeue(); }
HD_STATE {
  unsigned long state = 0;
  for (struct node *n = head->next; n; n = n->next) state = hd_hash(state, (unsigned long)n->value);
  return state;
}
