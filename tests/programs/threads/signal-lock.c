// A handler that takes a lock which the thread it interrupts may hold waits for ever.
// verdict: BUG
// finding: deadlock
// case: blocked -DBLOCKED
// verdict: SAFE
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void add(int number) {
  pthread_mutex_lock(&lock);
  total++;
  pthread_mutex_unlock(&lock);
}

static void *work(void *unused) {
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
#ifdef BLOCKED
  pthread_sigmask(SIG_BLOCK, &set, &before);
#endif
  add(0);
#ifdef BLOCKED
  pthread_sigmask(SIG_SETMASK, &before, 0);
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, add);
  pthread_create(&t, 0, work, 0);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, 0);
  return 0;
}
