// Posts a semaphore that was destroyed.
// verdict: BUG
// finding: thread-misuse A
// case: fixed -DFIXED
// verdict: SAFE
#include <semaphore.h>

int main(void) {
  sem_t s;
  sem_init(&s, 0, 1);
#ifndef FIXED
  sem_destroy(&s);
#endif
  sem_post(&s);  // @A
  return 0;
}
