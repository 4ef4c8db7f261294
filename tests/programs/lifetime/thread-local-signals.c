// A thread-local variable of a thread that others may send signals to. Its life ends with the thread's last step, behind which it cannot be
// interrupted: a store comes before that step or behind it, and there is nothing in between.
// verdict: BUG
// finding: use-after-free STORE
// finding: data-race STORE
// case: dpor
// verdict: BUG
// options: --strategy=dpor
// executions: 6
// finding: use-after-free STORE
// finding: data-race STORE
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static int *_Atomic published;
#ifdef FIXED
static int own;
#else
static _Thread_local int own;
#endif

static void *worker(void *argument) {
  atomic_store(&published, &own);
  return argument;
}

int main(int argc, char **argv) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  if (argc > 5 && argv) pthread_kill(t, SIGUSR1);
  int *at = atomic_load(&published);
  if (at) *at = 2;  // @STORE
  return 0;
}
