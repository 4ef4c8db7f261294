/* A sum is read and written back in one section; another thread sets it without the lock.
 * confirms: atomicity-violation 1 data-race 2 */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sum;

static void *add(void *unused) {
  pthread_mutex_lock(&lock);
  int was = sum;
  sum = was + 1;
  pthread_mutex_unlock(&lock);
  return unused;
}
static void *reset(void *unused) {
  usleep(20000);
  sum = 0;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, reset, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
