// The loop variable is passed by address and changed while the threads read it.
// verdict: BUG
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdint.h>

static void *work(void *argument) {
#ifdef FIXED
  int me = (int)(intptr_t)argument;
#else
  int me = *(int *)argument;  // @A
#endif
  return me > 2 ? argument : 0;
}

int main(void) {
  pthread_t t[2];
  int i;
  for (i = 0; i < 2; i++) {  // @B
#ifdef FIXED
    pthread_create(&t[i], 0, work, (void *)(intptr_t)i);
#else
    pthread_create(&t[i], 0, work, &i);
#endif
  }
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return 0;
}
