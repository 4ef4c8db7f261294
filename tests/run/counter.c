/* finds: data race A A; fixed: nothing. Two threads count without a lock. */
#include <pthread.h>

static volatile long counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *argument) {
  for (int i = 0; i < 1000; i++) {
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    counter++; /* @A */
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
  }
  (void)lock;
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, count, NULL);
  pthread_create(&b, NULL, count, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return counter == 0;
}
