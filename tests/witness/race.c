/* The consumer's section may come first: then nothing orders the two writes of `log_lines`.
 * confirms: data-race 1 */
#include <pthread.h>

int data, log_lines, ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *producer(void *unused) {
  data = 42;
  log_lines = 1;
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}
static void *consumer(void *unused) {
  pthread_mutex_lock(&lock);
  int seen = ready;
  pthread_mutex_unlock(&lock);
  log_lines = 2;
  if (seen) data++;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, producer, NULL);
  pthread_create(&b, NULL, consumer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
