/* found: data-race:1,4
 * FIG. 2, case 1: line 4 is reached whatever line 3 reads. y is volatile in Java: atomic here, so no race by itself. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
static int x, r1, r2;
static atomic_int y;
static void *t2(void *argument) {
  usleep(200 * 1000);
  r1 = y; /* 3 */
  r2 = x; /* 4 */
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, t2, 0);
  x = 1; /* 1 */
  y = 1; /* 2 */
  pthread_join(t, 0);
  return r1 + r2 == 0;
}
