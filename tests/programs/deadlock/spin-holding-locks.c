// Two threads spin on flags that nobody sets, each with a lock that it took before its loop. Neither comes to another state, whoever runs:
// they wait as they would without the locks.
// verdict: BUG
// options: --strategy=dpor --step-limit=0
// finding: deadlock A B C
// case: naive
// verdict: BUG
// options: --strategy=naive --step-limit=0
// finding: deadlock A B C
// case: maximal
// verdict: BUG
// options: --step-limit=0
// finding: deadlock A B C
// case: spinning-alone -DALONE
// verdict: BUG
// options: --strategy=dpor --step-limit=0
// finding: livelock A B
// case: set -DSET
// verdict: SAFE
// options: --strategy=dpor
// case: polls -DSET -DPOLL
// verdict: SAFE
// options: --strategy=dpor
// case: polls-without-reduction -DSET -DPOLL
// verdict: SAFE
// options: --strategy=naive
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;
static sem_t posted;

// The lock inside the loop is free while the thread waits, or nobody could set the flag.
static int get(atomic_int *flag) {
#ifdef POLL
  pthread_mutex_lock(&inner);
#endif
  int value = atomic_load_explicit(flag, memory_order_relaxed);
#ifdef POLL
  pthread_mutex_unlock(&inner);
#endif
  return value;
}

static void *spinner(void *unused) {
  pthread_mutex_lock(&first);
#ifdef POLL
  while (!get(&x)) continue;
#else
  while (!atomic_load_explicit(&x, memory_order_relaxed)) continue;  // @A
#endif
  pthread_mutex_unlock(&first);
  return unused;
}

static void *setter(void *unused) {
#ifdef SET
  pthread_mutex_lock(&inner);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  pthread_mutex_unlock(&inner);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
#elif !defined ALONE
  sem_wait(&posted);  // @C
#endif
  return unused;
}

int main(void) {
  pthread_t t[2];
  sem_init(&posted, 0, 0);
  pthread_create(&t[0], NULL, spinner, NULL);
  pthread_create(&t[1], NULL, setter, NULL);
  pthread_mutex_lock(&second);
  while (!atomic_load_explicit(&y, memory_order_relaxed)) continue;  // @B
  pthread_mutex_unlock(&second);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
