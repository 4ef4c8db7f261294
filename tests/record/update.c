/* predicts: data-race 1
 * The update under the lock depends on where `s` is, and not on what x was: so the sections can change places. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct state {
  int x;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct state *shared;
int data;

static void *first(void *unused) {
  struct state *s = shared;
  data = 1;
  pthread_mutex_lock(&lock);
  s->x++;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *second(void *unused) {
  struct state *s = shared;
  usleep(50000);
  pthread_mutex_lock(&lock);
  s->x++;
  pthread_mutex_unlock(&lock);
  data = 2;
  return unused;
}

int main(void) {
  pthread_t a, b;
  shared = calloc(1, sizeof *shared);
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
