/* found: data-race:2,7
 * FIG. 6 with the index 0 whatever x is: then it is a race. */
#include <pthread.h>
#include <unistd.h>
static volatile int x;
static int a[2], seen;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static void *t2(void *argument) {
  usleep(200 * 1000);
  pthread_mutex_lock(&l);
  x = 1; /* 5 */
  pthread_mutex_unlock(&l);
  a[0] = 1; /* 7 */
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, t2, 0);
  pthread_mutex_lock(&l);
  seen = x;
  a[0] = 2; /* 2 */
  pthread_mutex_unlock(&l);
  pthread_join(t, 0);
  return a[0] != 1 || seen > 1;
}
