/* A wait without a condition: the notification may come first, and then nobody wakes the thread.
 * confirms: lost-wakeup 1 */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;

static void *filler(void *unused) {
  usleep(50000);
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&lock);
  return unused;
}
static void *waiter(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_cond_wait(&filled, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, waiter, NULL);
  pthread_create(&b, NULL, filler, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
