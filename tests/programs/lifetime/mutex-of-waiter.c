// A mutex on the waiter's stack: the counter says that the section is nearly over, and the waiter returns.
// verdict: BUG
// options: --strategy=maximal
// finding: use-after-free A
// finding?: data-race
// case: dpor-sc
// verdict: BUG
// options: --strategy=dpor
// finding: use-after-free A
// finding?: data-race
// case: naive-sc
// verdict: BUG
// options: --strategy=naive
// finding: use-after-free A
// finding?: data-race
// case: fixed-maximal-sc -DFIXED
// verdict: SAFE
// options: --strategy=maximal
// case: fixed-dpor-sc -DFIXED
// verdict: SAFE
// options: --strategy=dpor
// case: fixed-naive-sc -DFIXED
// verdict: SAFE
// options: --strategy=naive
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int passed;

static void *worker(void *argument) {
  pthread_mutex_t *m = argument;
  pthread_mutex_lock(m);
  atomic_fetch_add(&passed, 1);
  pthread_mutex_unlock(m);  // @A
  return NULL;
}

static void ask(pthread_t *t) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_create(t, NULL, worker, &m);
  while (atomic_load(&passed) == 0)
    ;
#ifdef FIXED
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
#endif
}

int main(void) {
  pthread_t t;
  ask(&t);
  atomic_load(&passed);
  pthread_join(t, NULL);
  return 0;
}
