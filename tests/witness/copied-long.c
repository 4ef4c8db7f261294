/* Long blocks are copied by the C library.
 * confirms: data-race 1 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

char shared[900];
static size_t length;

static void *writer(void *text) {
  memcpy(shared, text, length);
  return NULL;
}
static void *reader(void *to) {
  memcpy(to, shared, length);
  return NULL;
}

int main(int argc, char **argv) {
  static char text[900] = "the text", to[900];
  pthread_t a, b;
  (void)argv;
  length = 400 + (size_t)argc;
  pthread_create(&a, NULL, writer, text);
  pthread_create(&b, NULL, reader, to);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
