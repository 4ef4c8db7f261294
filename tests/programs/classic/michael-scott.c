// The Michael-Scott queue with two threads that enqueue and dequeue; the twin swings the tail without helping and loses an element.
// verdict: SAFE
// options: --strategy=dpor
// case: lossy -DLOSSY
// verdict: BUG
// options: --strategy=dpor
// finding: assertion A
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
  _Atomic(struct node *) next;
  atomic_int value;
};

static struct node pool[4];
static atomic_int used = 1;
static _Atomic(struct node *) head = &pool[0], tail = &pool[0];

static void enqueue(int value) {
  struct node *n = &pool[atomic_fetch_add(&used, 1)];
  atomic_store(&n->value, value);
#ifdef LOSSY
  struct node *last = atomic_load(&tail);
  atomic_store(&last->next, n);
  atomic_store(&tail, n);
#else
  for (;;) {
    struct node *last = atomic_load(&tail);
    struct node *next = atomic_load(&last->next);
    if (next) {
      atomic_compare_exchange_strong(&tail, &last, next);
    } else if (atomic_compare_exchange_strong(&last->next, &next, n)) {
      atomic_compare_exchange_strong(&tail, &last, n);
      return;
    }
  }
#endif
}

static int dequeue(void) {
  for (;;) {
    struct node *first = atomic_load(&head);
    struct node *last = atomic_load(&tail);
    struct node *next = atomic_load(&first->next);
    if (!next) return 0;
    if (first == last) {
      atomic_compare_exchange_strong(&tail, &last, next);
      continue;
    }
    int value = atomic_load(&next->value);
    if (atomic_compare_exchange_strong(&head, &first, next)) return value;
  }
}

static void *worker(void *argument) {
  enqueue(*(int *)argument);
  return 0;
}

int main(void) {
  pthread_t t[2];
  static int values[2] = {1, 2};
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, &values[i]);
  int early = dequeue();
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  int sum = early;
  for (int i = 0; i < 2; i++) sum += dequeue();
  hd_assert(sum == 3);  // @A
  return 0;
}
