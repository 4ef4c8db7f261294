// A handler runs in the thread that the signal was sent to, between any two of its steps, also while it waits; and sees what that thread
// did before.
// verdict: SAFE
// case: early -DEARLY
// verdict: BUG
// finding: assertion A
// case: late -DLATE
// verdict: BUG
// finding: assertion B
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static volatile sig_atomic_t seen;
static int steps;
static sem_t handled;
static pthread_t target;

static void handle(int number) {
  assert(number == SIGUSR1 && pthread_equal(pthread_self(), target));
  seen = steps;
#ifdef EARLY
  assert(seen != 0);  // @A
#endif
  sem_post(&handled);
}

static void *work(void *unused) {
  steps = 1;
  steps = 2;
  while (sem_wait(&handled)) ; /* EINTR */
#ifdef LATE
  assert(seen != 2);  // @B
#endif
  return unused;
}

int main(void) {
  signal(SIGUSR1, handle);
  sem_init(&handled, 0, 0);
  pthread_create(&target, 0, work, 0);
  pthread_kill(target, SIGUSR1);
  pthread_join(target, 0);
  assert(seen == 0 || seen == 1 || seen == 2);
  return 0;
}
