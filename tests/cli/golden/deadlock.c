#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t fork_1 = PTHREAD_MUTEX_INITIALIZER, fork_2 = PTHREAD_MUTEX_INITIALIZER;

static void eat(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void *philosopher(void *unused) {
  eat(&fork_2, &fork_1);
  return unused;
}

int main(void) {
  pthread_t t;
  puts("dinner is served");
  pthread_create(&t, 0, philosopher, 0);
  eat(&fork_1, &fork_2);
  pthread_join(t, 0);
  return 0;
}
