/* finds: data race A B; fixed: nothing. A relaxed flag publishes nothing of the block that it points to. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct message {
  int size, text;
};
static struct message *_Atomic ready;
#ifdef FIXED
enum { STORE = memory_order_release, LOAD = memory_order_acquire };
#else
enum { STORE = memory_order_relaxed, LOAD = memory_order_relaxed };
#endif

static void *receive(void *argument) {
  struct message *m;
  while (!(m = atomic_load_explicit(&ready, LOAD))) continue;
  long sum = *(volatile long *)m; /* @B */
  return sum ? argument : NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, receive, NULL);
  struct message *m = malloc(sizeof *m);
  m->size = 4; /* @A */
#ifdef FIXED
  m->text = 1;
#endif
  atomic_store_explicit(&ready, m, STORE);
  pthread_join(t, NULL);
  free(m);
  return 0;
}
