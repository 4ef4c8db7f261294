/* found: data-race:3,10
 * US 9,792,161, FIG. 1: the sections of the two threads conflict in y, but nobody decides by what is read there. (4,8) is under the lock, (12,15)
 * behind a branch and a join. Numbers behind statements are the figure's lines. */
#include <pthread.h>
#include <unistd.h>
static int x, y, z, error;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static void *t2(void *argument) {
  usleep(200 * 1000);
  pthread_mutex_lock(&l);
  int r1 = y; /* 8 */
  pthread_mutex_unlock(&l);
  int r2 = x; /* 10 */
  if (r1 == r2) z = 1; /* 12 */
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, t2, 0);
  pthread_mutex_lock(&l);
  x = 1; /* 3 */
  y = 1; /* 4 */
  pthread_mutex_unlock(&l);
  pthread_join(t, 0);
  if (z == 0) error = 1; /* 15 */
  return error;
}
