/* found:
 * FIG. 2, case 2: line 4 is reached when line 3 has read 1, so behind line 1. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
static int x, r2;
static atomic_int y;
static void *t2(void *argument) {
  usleep(200 * 1000);
  while (y == 0) usleep(1000); /* 3 */
  r2 = x; /* 4 */
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, t2, 0);
  x = 1; /* 1 */
  y = 1; /* 2 */
  pthread_join(t, 0);
  return r2 == 0;
}
