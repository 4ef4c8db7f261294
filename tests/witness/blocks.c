/* Two threads fill the same long block, and nothing shorter touches it: their sections may be exchanged.
 * confirms: data-race 1 */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char block[300];
static size_t length = sizeof block;

static void *first(void *unused) {
  memset(block, 1, length);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}
static void *second(void *unused) {
  usleep(50000);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  memset(block, 2, length);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return block[1] == 0;
}
