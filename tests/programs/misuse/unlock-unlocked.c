// Unlocks on both paths of an error exit.
// verdict: BUG
// finding: thread-misuse A
// case: fixed -DFIXED
// verdict: SAFE
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int step(void) {
  if (hd_choose(2) == 0) return 0;
#ifndef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return -1;
}

int main(void) {
  pthread_mutex_lock(&lock);
  int result = step();
  pthread_mutex_unlock(&lock);  // @A
  return result > 0;
}
