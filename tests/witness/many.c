/* Four threads do much under a lock, then two of them set a variable at once. The run's beginning is longer than a window.
 * confirms: data-race 1 */
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 600 };
static pthread_barrier_t all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
long sum, hits;

static void *add(void *number) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&lock);
    sum += i;
    pthread_mutex_unlock(&lock);
  }
  pthread_barrier_wait(&all);
  if ((long)number >= THREADS - 2) hits = (long)number;
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  pthread_barrier_init(&all, NULL, THREADS);
  for (long i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, add, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  printf("%ld\n", sum);
  return 0;
}
