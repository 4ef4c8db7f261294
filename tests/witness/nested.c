/* Threads that are created by threads; each family works under its own lock.
 * confirms: data-race 1 atomicity-violation 1 */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int counts[2], all;

static void *child(void *number) {
  long i = (long)number;
  pthread_mutex_lock(&locks[i]);
  counts[i]++;
  all++;
  pthread_mutex_unlock(&locks[i]);
  return NULL;
}
static void *parent(void *number) {
  pthread_t c;
  if (number) usleep(30000);
  pthread_create(&c, NULL, child, number);
  pthread_join(c, NULL);
  return NULL;
}

int main(void) {
  pthread_t p[2];
  for (long i = 0; i < 2; i++) pthread_create(&p[i], NULL, parent, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(p[i], NULL);
  return 0;
}
