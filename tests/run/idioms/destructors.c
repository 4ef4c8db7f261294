/* Each thread counts for itself; destructors of thread-specific data add it up, and a handler of exit() looks at the sum. */
#include <pthread.h>
#include <stdlib.h>
enum { THREADS = 4, ROUNDS = 100 };
static pthread_key_t key;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long total;
static void add_up(void *counts) {
#ifndef RACY
  pthread_mutex_lock(&m);
#endif
  total += *(long *)counts;
#ifndef RACY
  pthread_mutex_unlock(&m);
#endif
  free(counts);
}
static void count(void) {
  long *counts = pthread_getspecific(key);
  if (!counts) pthread_setspecific(key, counts = calloc(1, sizeof *counts));
  ++*counts;
}
static void *work(void *argument) {
  for (int i = 0; i < ROUNDS; i++) count();
  return argument;
}
static void look(void) {
#ifdef RACY
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
#endif
  if (total != THREADS * ROUNDS) abort();
}
int main(void) {
  pthread_t t[THREADS];
  pthread_key_create(&key, add_up);
  atexit(look);
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  return 0;
}
