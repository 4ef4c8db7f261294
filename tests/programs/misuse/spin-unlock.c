// Unlocks a spin lock that is free.
// verdict: BUG
// finding: thread-misuse A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

int main(void) {
  pthread_spinlock_t lock;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
#ifdef FIXED
  pthread_spin_lock(&lock);
#endif
  pthread_spin_unlock(&lock);  // @A
  pthread_spin_destroy(&lock);
  return 0;
}
