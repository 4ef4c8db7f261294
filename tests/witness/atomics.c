/* A flag is an atomic for the writer, and none for the reader.
 * confirms: data-race 1 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *writer(void *unused) {
  atomic_fetch_add(&flag, 1);
  return unused;
}
static void *reader(void *unused) {
  int *plain = (int *)&flag;
  *plain += 2;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
