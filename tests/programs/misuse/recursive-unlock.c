// A recursive mutex is unlocked once too often.
// verdict: BUG
// finding: thread-misuse A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_mutex_t lock;

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &attributes);
  pthread_mutex_lock(&lock);
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&lock);  // @A
  pthread_mutexattr_destroy(&attributes);
  pthread_mutex_destroy(&lock);
  return 0;
}
