// A thread that tries to take a lock again and again shows others its turns: it takes other locks in each. The second one can be seen
// although the lock is held all the while, and it is followed by a wait that may end between two sections of that lock.
//
// verdict: BUG
// finding: assertion turn
// case: dpor
// options: --strategy=dpor
// verdict: BUG
// finding: assertion turn
// case: fixed -DFIXED
// verdict: SAFE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t wanted = PTHREAD_MUTEX_INITIALIZER, first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void touch(pthread_mutex_t *m) {
  pthread_mutex_lock(m);
  pthread_mutex_unlock(m);
}

static int busy(pthread_mutex_t *m) {
  if (pthread_mutex_trylock(m)) return 1;
  pthread_mutex_unlock(m);
  return 0;
}

static __attribute__((noinline)) void attempt(void) {
  if (pthread_mutex_trylock(&wanted) == 0) {
    pthread_mutex_unlock(&wanted);
    pthread_exit(NULL);
  }
  touch(&first);
  touch(&second);
}

static void *spin(void *unused) {
  (void)unused;
  for (;;) attempt();
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&wanted);
  pthread_create(&thread, NULL, spin, NULL);
  int before = busy(&first), turn = busy(&first), after = busy(&first) || busy(&second), next = busy(&first);
  pthread_mutex_unlock(&wanted);
  pthread_mutex_lock(&wanted);
  pthread_mutex_unlock(&wanted);
  pthread_join(thread, NULL);
#ifdef FIXED
  assert(before + turn + after + next <= 4);
#else
  if (!before && turn && !after) assert(!next); /* @turn */
#endif
  return 0;
}
