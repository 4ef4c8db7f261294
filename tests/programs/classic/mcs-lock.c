// The Mellor-Crummey and Scott queue lock; the twin does not wait for its successor to link itself and leaves it waiting.
// verdict: SAFE
// options: --strategy=dpor
// case: impatient -DIMPATIENT
// verdict: BUG
// options: --strategy=dpor
// finding: deadlock|livelock
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

struct waiter {
  _Atomic(struct waiter *) next;
  atomic_int locked;
};

static _Atomic(struct waiter *) tail;
static struct waiter waiters[2];
static int counter;

static void lock(struct waiter *me) {
  atomic_store(&me->next, (struct waiter *)0);
  atomic_store(&me->locked, 1);
  struct waiter *before = atomic_exchange(&tail, me);
  if (!before) return;
  atomic_store(&before->next, me);
  while (atomic_load(&me->locked)) {
  }
}

static void unlock(struct waiter *me) {
  struct waiter *after = atomic_load(&me->next);
  if (!after) {
    struct waiter *expected = me;
    if (atomic_compare_exchange_strong(&tail, &expected, (struct waiter *)0)) return;
#ifdef IMPATIENT
    return;
#endif
    while (!(after = atomic_load(&me->next))) {
    }
  }
  atomic_store(&after->locked, 0);
}

static void *work(void *argument) {
  lock(argument);
  counter++;
  unlock(argument);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, &waiters[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  hd_assert(counter == 2);
  return 0;
}
