/* property: fig11.property
 * found: AtomicityViolation:4,1,3,3,4 AtomicityViolation:5,1,3,3,5 AtomicityViolation:6,1,3,3,6
 * FIG. 12: m() is called twice by one thread and once by another one, and none of the three calls is atomic. */
#include <pthread.h>
#include <unistd.h>
static int s;
static __attribute__((noinline)) void m(void) {
  int r1 = s; /* 1 */
  int r2 = r1 + 1;
  s = r2; /* 3 */
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
