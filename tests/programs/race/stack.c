// A local variable of main escapes to a thread.
// verdict: BUG
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static void *work(void *argument) {
  *(int *)argument = 1;  // @A
  return 0;
}

int main(void) {
  pthread_t t;
  int local = 0;
  pthread_create(&t, 0, work, &local);
#ifndef FIXED
  local = 2;  // @B
#endif
  pthread_join(t, 0);
#ifdef FIXED
  local = 2;
#endif
  return local > 2;
}
