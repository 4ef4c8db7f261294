/* flags: -O3 -mavx2
 * predicts: data-race 0
 * Which elements of a vector are stored depends on what was read under the lock. */
#include <pthread.h>
#include <unistd.h>
enum { N = 32 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int chosen[N], a[N], b[N];
static void *produce(void *argument) {
  for (int i = 0; i < N; i++) a[i] = i;
  pthread_mutex_lock(&m);
  for (int i = 0; i < N; i++) chosen[i] = 1;
  pthread_mutex_unlock(&m);
  return argument;
}
static void *change(void *argument) {
  int mine[N];
  usleep(20000);
  pthread_mutex_lock(&m);
  for (int i = 0; i < N; i++) mine[i] = chosen[i];
  pthread_mutex_unlock(&m);
  for (int i = 0; i < N; i++)
    if (mine[i]) a[i] = b[i] + 1;
  return argument;
}
int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, produce, 0);
  pthread_create(&y, 0, change, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  return 0;
}
