// Each thread reads under one lock and wants to write under the other.
// verdict: BUG
// finding: deadlock A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_rwlock_t locks[2] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};

static void *work(void *argument) {
  int me = *(int *)argument;
#ifdef FIXED
  int first = 0, second = 1;
#else
  int first = me, second = !me;
#endif
  pthread_rwlock_rdlock(&locks[first]);
  pthread_rwlock_wrlock(&locks[second]);  // @A
  pthread_rwlock_unlock(&locks[second]);
  pthread_rwlock_unlock(&locks[first]);
  return me > 1 ? argument : 0;
}

int main(void) {
  pthread_t t[2];
  static int names[2] = {0, 1};
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, &names[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
