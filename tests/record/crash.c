/* code: 139
 * What was done until then is in the trace. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static int *volatile nowhere;
static void *work(void *argument) {
  for (int i = 0; i < 100; i++) {
    pthread_mutex_lock(&m);
    counter++;
    pthread_mutex_unlock(&m);
  }
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  return *nowhere;
}
