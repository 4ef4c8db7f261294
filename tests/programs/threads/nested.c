// Threads that create threads; results come back through join and pthread_exit.
// verdict: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void *leaf(void *argument) { pthread_exit((void *)((intptr_t)argument * 2)); }

static void *branch(void *argument) {
  pthread_t t[2];
  intptr_t sum = 0;
  for (intptr_t i = 0; i < 2; i++) pthread_create(&t[i], 0, leaf, (void *)((intptr_t)argument + i));
  for (int i = 0; i < 2; i++) {
    void *result;
    pthread_join(t[i], &result);
    sum += (intptr_t)result;
  }
  return (void *)sum;
}

int main(void) {
  pthread_t t[2];
  intptr_t sum = 0;
  for (intptr_t i = 0; i < 2; i++) pthread_create(&t[i], 0, branch, (void *)(10 * i));
  for (int i = 0; i < 2; i++) {
    void *result;
    pthread_join(t[i], &result);
    sum += (intptr_t)result;
  }
  assert(sum == 2 + 42);
  return 0;
}
