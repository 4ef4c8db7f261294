// A cycle of three locks in three threads.
// verdict: BUG
// finding: deadlock A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_mutex_t locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *work(void *argument) {
  int me = *(int *)argument;
  int first = me, second = (me + 1) % 3;
#ifdef FIXED
  if (first > second) first = 0, second = me;
#endif
  pthread_mutex_lock(&locks[first]);
  pthread_mutex_lock(&locks[second]);  // @A
  pthread_mutex_unlock(&locks[second]);
  pthread_mutex_unlock(&locks[first]);
  return 0;
}

int main(void) {
  pthread_t t[3];
  static int names[3] = {0, 1, 2};
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, &names[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
