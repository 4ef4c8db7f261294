// A bounded buffer with condition variables and two consumers; the twin uses one variable and signal for both conditions.
// verdict: SAFE
// options: --strategy=dpor
// case: one -DONE
// verdict: BUG
// options: --strategy=dpor
// finding: deadlock|lost-wakeup
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
#ifdef ONE
#define not_full not_empty
#else
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
#endif
static int count;

static void *consumer(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (count == 0) pthread_cond_wait(&not_empty, &lock);
  count--;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&lock);
  return 0;
}

static void *producer(void *unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    while (count == 1) pthread_cond_wait(&not_full, &lock);
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, consumer, 0);
  pthread_create(&t[1], 0, consumer, 0);
  pthread_create(&t[2], 0, producer, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
