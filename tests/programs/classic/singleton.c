// A singleton that two threads initialise: with and without a lock around test and set.
// verdict: SAFE
// options: --strategy=dpor
// executions: 2
// case: unlocked -DUNLOCKED
// verdict: BUG
// options: --strategy=dpor
// finding: assertion A
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int created, exists;

static void *get(void *unused) {
  (void)unused;
#ifndef UNLOCKED
  pthread_mutex_lock(&lock);
#endif
  if (!atomic_load(&exists)) {
    atomic_fetch_add(&created, 1);
    atomic_store(&exists, 1);
  }
#ifndef UNLOCKED
  pthread_mutex_unlock(&lock);
#endif
  return 0;
}

int main(void) {
  pthread_t t[2];
  (void)lock;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, get, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  hd_assert(atomic_load(&created) == 1);  // @A
  return 0;
}
