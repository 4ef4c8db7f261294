// volatile is not synchronisation.
// verdict: BUG
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#ifdef FIXED
#include <stdatomic.h>
static atomic_int stop;
#else
static volatile int stop;
#endif

static void *worker(void *unused) {
  (void)unused;
  int rounds = 0;
  while (rounds < 2 && !stop)  // @A
    rounds++;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  stop = 1;  // @B
  pthread_join(t, 0);
  return 0;
}
