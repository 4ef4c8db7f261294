/* Two locks in two orders, one in the heap. */
#include "launch.h"
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *second;

static void *forwards(void *data) {
  pthread_mutex_lock(&first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(&first);
  moment_reach(0);
  return data;
}

static void *backwards(void *data) {
  pthread_mutex_lock(second);
  pthread_mutex_lock(&first);
  pthread_mutex_unlock(&first);
  pthread_mutex_unlock(second);
  moment_reach(1);
  return data;
}

int main(void) {
  second = malloc(sizeof *second);
  pthread_mutex_init(second, NULL);
  pthread_t t, u;
  launch(0, &t, forwards, NULL);
  launch(1, &u, backwards, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
