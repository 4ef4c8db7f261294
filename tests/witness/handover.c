/* A condition in a loop, as it should be; what is done behind it is not protected.
 * confirms: data-race 1 */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
int full, after;

static void *consumer(void *unused) {
  pthread_mutex_lock(&lock);
  while (!full) pthread_cond_wait(&filled, &lock);
  full = 0;
  pthread_mutex_unlock(&lock);
  after = 1;
  return unused;
}
static void *producer(void *unused) {
  usleep(30000);
  pthread_mutex_lock(&lock);
  full = 1;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&lock);
  after = 2;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, consumer, NULL);
  pthread_create(&b, NULL, producer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
