/* Long blocks are copied under a lock; beside that there is a race.
 * confirms: data-race 1 */
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char shared[900], text[900] = "the text", to[900];
static size_t length;
int lines;

static void *writer(void *unused) {
  pthread_mutex_lock(&lock);
  memcpy(shared, text, length);
  pthread_mutex_unlock(&lock);
  lines = 1;
  return unused;
}
static void *reader(void *unused) {
  pthread_mutex_lock(&lock);
  memcpy(to, shared, length);
  pthread_mutex_unlock(&lock);
  lines = 2;
  return unused;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  (void)argv;
  length = 400 + (size_t)argc;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return lines == 0 || to[0] > 't';
}
