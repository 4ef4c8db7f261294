// output: native
// Threads that print in an order that the program enforces.
// verdict: SAFE
// case: no-scheduling-points -DFREE
// options: --strategy=dpor
// verdict: SAFE
// executions: 1
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static void *speak(void *argument) {
  int me = *(int *)argument;
#ifdef FREE
  printf("a thread\n"); /* in whichever order */
  return 0;
#endif
  pthread_mutex_lock(&lock);
  while (turn != me) pthread_cond_wait(&changed, &lock);
  printf("thread %d\n", me);
  turn++;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t[2];
  static int names[2] = {0, 1};
  for (int i = 1; i >= 0; i--) pthread_create(&t[i], 0, speak, &names[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  printf("all spoke\n");
  return 0;
}
