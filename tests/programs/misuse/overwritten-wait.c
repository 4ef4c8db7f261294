// Bytes of a mutex that are not its first ones are written over by another thread, before, while or after it is held, or while its holder
// waits with it on a condition variable: the wait depends on such a store, as the lock does.
// verdict: BUG
// finding: thread-misuse LOCK WRITE
// finding: deadlock WAIT
// finding?: data-race
// case: naive
// verdict: BUG
// options: --strategy=naive
// finding: thread-misuse LOCK WRITE
// finding: deadlock WAIT
// finding?: data-race
// case: dpor
// verdict: BUG
// options: --strategy=dpor
// finding: thread-misuse LOCK WRITE
// finding: deadlock WAIT
// finding?: data-race
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stddef.h>

static struct {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int done;
} state;

static void *worker(void *argument) {
#ifdef FIXED
  pthread_mutex_lock(&state.mutex);
  state.done = 1;
  pthread_cond_signal(&state.changed);
  pthread_mutex_unlock(&state.mutex);
#else
  ((int *)&state)[1] = 1;  // @WRITE
#endif
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_lock(&state.mutex);                                      // @LOCK
  while (!state.done) pthread_cond_wait(&state.changed, &state.mutex);  // @WAIT
  pthread_mutex_unlock(&state.mutex);
  pthread_join(t, NULL);
  return 0;
}
