/* found:
 * FIG. 6, after the description (the drawing is not part of the text): lines 2 and 7 both access a[0] and are ordered by nothing; but when
 * they are next to each other, the second section has come before the first one, and line 2 accesses a[1]. An index is a branch. */
#include <pthread.h>
#include <unistd.h>
static volatile int x;
static int a[2];
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
  a[x] = 2; /* 2 */
  pthread_mutex_unlock(&l);
  pthread_join(t, 0);
  return a[0] != 1;
}
