/* Many threads, one after the other and at once, with more events than a buffer has. */
#include <assert.h>
#include <pthread.h>
enum { ROUNDS = 40, AT_ONCE = 10 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long total;
static void *work(void *argument) {
  long mine[3] = {0};
  long *volatile shown = mine;
  for (int i = 0; i < 500; i++) shown[i % 3] += i;
  pthread_mutex_lock(&m);
  total += mine[0];
  pthread_mutex_unlock(&m);
  return argument;
}
int main(void) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_t t[AT_ONCE];
    for (int k = 0; k < AT_ONCE; k++) pthread_create(&t[k], 0, work, 0);
    for (int k = 0; k < AT_ONCE; k++) pthread_join(t[k], 0);
  }
  for (long i = 0; i < 30000; i++) *(volatile long *)&total = total;
  assert(total == 41583l * ROUNDS * AT_ONCE);
  return 0;
}
