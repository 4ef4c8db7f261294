// Two readers and a writer of a two-field record under a reader-writer lock; the twin's second reader does not lock.
// verdict: SAFE
// options: --strategy=dpor
// executions: 4
// case: unlocked -DUNLOCKED
// verdict: BUG
// options: --strategy=dpor
// finding: data-race A B
#include <heddle.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int low, high;

static void *writer(void *unused) {
  (void)unused;
  pthread_rwlock_wrlock(&lock);
  low++;
  high++;  // @A
  pthread_rwlock_unlock(&lock);
  return 0;
}

static void *reader(void *unused) {
  (void)unused;
  pthread_rwlock_rdlock(&lock);
  hd_assert(low == high);
  pthread_rwlock_unlock(&lock);
  return 0;
}

static void *second(void *unused) {
#ifdef UNLOCKED
  (void)unused;
  int seen = high;  // @B
  hd_assert(seen < 2);
  return 0;
#else
  return reader(unused);
#endif
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, reader, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_create(&t[2], 0, writer, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
