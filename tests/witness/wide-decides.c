/* As wide.c, but the reader decides by the value: so the section that wrote it comes first, and there is no race.
 * confirms: */
#include <pthread.h>
#include <unistd.h>

struct pair {
  long a, b;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct pair shared, copy;
int lines;

static void *writer(void *unused) {
  struct pair both = {1, 2};
  lines = 1;
  pthread_mutex_lock(&lock);
  shared = both;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *reader(void *unused) {
  usleep(50000);
  pthread_mutex_lock(&lock);
  copy = shared;
  pthread_mutex_unlock(&lock);
  if (copy.b == 2) lines = 2;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return lines == 0;
}
