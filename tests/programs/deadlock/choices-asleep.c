// Two of three choices were explored before the other thread's steps, and say nothing new behind them; the third ends the execution, and has
// to be made again there. The other two are not.
//
// options: --strategy=maximal
// verdict: BUG
// finding: deadlock|lost-wakeup waits
// executions: 1
// case: traces
// options: --strategy=dpor
// verdict: BUG
// finding: deadlock|lost-wakeup waits
// executions: 2
#include <heddle.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t signalled = PTHREAD_COND_INITIALIZER;

static void *chooses(void *unused) {
  unsigned choice = hd_choose(3);
  hd_assume(choice != 2);
  return unused;
}

static void *passes(void *unused) {
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_barrier_init(&barrier, NULL, 1);
  pthread_create(&threads[0], NULL, chooses, NULL);
  pthread_create(&threads[1], NULL, passes, NULL);
  pthread_mutex_lock(&lock);
  pthread_cond_wait(&signalled, &lock); /* @waits */
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
