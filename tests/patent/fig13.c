/* property: fig13.property
 * found: DataRace:1,3
 * FIG. 13, of the program of FIG. 12. */
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
