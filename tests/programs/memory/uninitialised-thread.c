// The consumer may run before the field is filled in.
// verdict: BUG
// finding: uninitialised A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct message {
  atomic_int ready;
  atomic_int body;
};

static void *consumer(void *argument) {
  struct message *m = argument;
  if (!atomic_load(&m->ready)) return 0;
  return atomic_load(&m->body) == 1 ? 0 : m;  // @A
}

int main(void) {
  pthread_t t;
  struct message *m = malloc(sizeof *m);
  if (!m) return 0;
  atomic_init(&m->ready, 0);
  pthread_create(&t, 0, consumer, m);
#ifdef FIXED
  atomic_store(&m->body, 1);
  atomic_store(&m->ready, 1);
#else
  atomic_store(&m->ready, 1);
  atomic_store(&m->body, 1);
#endif
  pthread_join(t, 0);
  free(m);
  return 0;
}
