/* The user reads a pointer that another thread sets, and takes it for granted that it is set.
 * confirms: null-dereference 1 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct item {
  int value, filler;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct item * shared;

static void *maker(void *unused) {
  struct item *i = malloc(sizeof *i);
  i->value = 7;
  pthread_mutex_lock(&lock);
  shared = i;
  pthread_mutex_unlock(&lock);
  return unused;
}
static void *user(void *unused) {
  usleep(20000);
  pthread_mutex_lock(&lock);
  struct item *i = shared;
  pthread_mutex_unlock(&lock);
  i->value = 8;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, maker, NULL);
  pthread_create(&b, NULL, user, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(shared);
  return 0;
}
