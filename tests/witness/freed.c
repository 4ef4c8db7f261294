/* The reader counts under the lock before the owner frees; nothing makes it so.
 * confirms: use-after-free 1 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *table;

static void *reader(void *unused) {
  pthread_mutex_lock(&lock);
  table[1]++;
  pthread_mutex_unlock(&lock);
  return unused;
}
static void *owner(void *unused) {
  usleep(20000);
  pthread_mutex_lock(&lock);
  free(table);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  table = calloc(16, sizeof *table);
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, owner, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
