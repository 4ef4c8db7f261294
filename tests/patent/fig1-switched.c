/* found:
 * FIG. 1 with its lines 1 and 2 exchanged: the thread is started within the section. Then its own section comes behind that, and line 10 behind
 * line 3. (The patent: what looks at locks alone reports it all the same.) */
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
  pthread_mutex_lock(&l);
  pthread_create(&t, 0, t2, 0);
  x = 1; /* 3 */
  y = 1; /* 4 */
  pthread_mutex_unlock(&l);
  pthread_join(t, 0);
  if (z == 0) error = 1; /* 15 */
  return error;
}
