// A handler runs while its thread waits on a condition variable, without the mutex; the wait goes on behind it, and has not missed anything.
// verdict: SAFE
// case: exit -DEND=pthread_exit(0)
// verdict: BUG
// finding: deadlock
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#ifndef END
#define END (void)0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int state;
static volatile sig_atomic_t handled;

static void handle(int number) {
  handled = 1;
  END;
}

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  while (!state) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, handle);
  pthread_create(&t, 0, work, 0);
  pthread_kill(t, SIGUSR1);
  pthread_mutex_lock(&lock);
  state = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
  return 0;
}
