// A signal to the process is handled by one of the threads that do not block it, whichever that is.
// verdict: SAFE
// case: main -DMAIN
// verdict: BUG
// finding: assertion A
// case: other -DOTHER
// verdict: BUG
// finding: assertion B
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t times, in_main;
static pthread_t first;
static sem_t handled;

static void handle(int number) {
  times = times + 1;
  in_main = pthread_equal(pthread_self(), first);
  sem_post(&handled);
}

static void *work(void *unused) {
  while (sem_wait(&handled)) ;
  return unused;
}

int main(void) {
  pthread_t t;
  first = pthread_self();
  signal(SIGUSR1, handle);
  sem_init(&handled, 0, 0);
  pthread_create(&t, 0, work, 0);
  kill(getpid(), SIGUSR1);
  pthread_join(t, 0);
  assert(times == 1);
#ifdef MAIN
  assert(!in_main);  // @A
#endif
#ifdef OTHER
  assert(in_main);  // @B
#endif
  return 0;
}
