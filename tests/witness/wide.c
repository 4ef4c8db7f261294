/* A value of 16 bytes is handed over: the section that writes it may come behind the one that reads it, as nobody decides by what was read.
 * confirms: data-race 1 */
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
#ifdef DECIDES
  if (copy.b != 2) return unused;
#endif
  lines = 2;
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
