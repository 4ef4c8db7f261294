// fetch_add in one thread, a plain write in the other.
// verdict: BUG
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static long tickets;

static void *taker(void *unused) {
  (void)unused;
  __atomic_fetch_add(&tickets, 1, __ATOMIC_RELAXED);  // @A
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, taker, 0);
#ifdef FIXED
  __atomic_store_n(&tickets, 10, __ATOMIC_RELAXED);
#else
  tickets = 10;  // @B
#endif
  pthread_join(t, 0);
  return 0;
}
