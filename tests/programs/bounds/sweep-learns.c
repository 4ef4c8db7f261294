// A loop that stores at each turn: under tso its stores may wait for ever, so the exploration stops at a circle and begins again as a sweep,
// which finds out on its way that more memory is shared. It begins again once, not for ever; and what comes behind the loop is found.
// verdict: SAFE
// case: tso --memory=tso
// verdict: BOUNDED
// case: race-tso -DRACE --memory=tso
// verdict: BUG
// finding: data-race
#include <pthread.h>
#include <stdatomic.h>

static atomic_bool inside;
static atomic_int item, turn;
static int other;

static void *work(void *unused) {
  atomic_store_explicit(&item, 1, memory_order_release);
  if (atomic_load(&turn) == 1) other++;
  return unused;
}

int main(void) {
  pthread_t t;
  int got = 0;
  pthread_create(&t, 0, work, 0);
  while (!got) {
    atomic_store_explicit(&inside, 1, memory_order_relaxed);
    if (atomic_load_explicit(&item, memory_order_acquire)) got = 1;
    atomic_store_explicit(&inside, 0, memory_order_relaxed);
  }
  atomic_store(&turn, 1);
#ifdef RACE
  other++;
#endif
  pthread_join(t, 0);
  other++;
}
