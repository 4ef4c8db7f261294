// A mutex may be initialised again after it was destroyed, but not used in between.
// verdict: BUG
// finding: thread-misuse A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

int main(void) {
  pthread_mutex_t lock;
  pthread_mutex_init(&lock, 0);
  pthread_mutex_destroy(&lock);
#ifdef FIXED
  pthread_mutex_init(&lock, 0);
#endif
  pthread_mutex_lock(&lock);  // @A
  pthread_mutex_unlock(&lock);
  pthread_mutex_destroy(&lock);
  return 0;
}
