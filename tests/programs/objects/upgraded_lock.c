// A counter under a lock for readers and a writer: the upgrade from reading to writing lets others in, so what was read may be old.
// verdict: BUG
// options: --linearizable
// finding: not-linearizable
// case: again -DFIXED
// options: --linearizable
// verdict: SAFE
#include <heddle.h>
#include <pthread.h>

static pthread_rwlock_t lock;
static int count;

HD_BEGIN(void) { pthread_rwlock_init(&lock, 0); }
HD_OPERATION(get) {
  pthread_rwlock_rdlock(&lock);
  int seen = count;
  pthread_rwlock_unlock(&lock);
  return seen;
}
HD_OPERATION(increment) {
  pthread_rwlock_rdlock(&lock);
  int seen = count;
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_wrlock(&lock);
#ifdef FIXED
  seen = count;
#endif
  count = seen + 1;
  pthread_rwlock_unlock(&lock);
  return 0;
}
HD_STATE { return (unsigned long)count; }
