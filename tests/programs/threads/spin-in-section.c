// A thread that spins while it holds a lock comes round to the same states again; each is entered once all the same, and not
// once for each turn that came before.
//
// options: --strategy=maximal
// verdict: SAFE
// executions: 1
// case: wrong -DWRONG
// options: --strategy=maximal
// verdict: BUG
// finding: assertion wrong
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int go, steps;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *spin(void *unused) {
  pthread_rwlock_rdlock(&lock);
  while (!atomic_load(&go)) continue;
#ifdef WRONG
  assert(atomic_load(&steps) < 4); /* @wrong */
#endif
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, spin, NULL);
  for (int i = 0; i < 4; i++) atomic_fetch_add(&steps, 1);
  atomic_store(&go, 1);
  pthread_join(thread, NULL);
  return 0;
}
