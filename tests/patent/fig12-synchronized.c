/* property: fig11.property
 * found:
 * FIG. 12 with m() synchronized: if the first begin were matched with the second end, there would be a false alarm. */
#include <pthread.h>
#include <unistd.h>
static int s;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static __attribute__((noinline)) void m(void) {
  pthread_mutex_lock(&l);
  int r1 = s; /* 1 */
  int r2 = r1 + 1;
  s = r2; /* 3 */
  pthread_mutex_unlock(&l);
}
static void *t2(void *argument) {
  usleep(200 * 1000);
  m(); /* 6 */
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, t2, 0);
  m(); /* 4 */
  m(); /* 5 */
  pthread_join(t, 0);
  return s > 3;
}
