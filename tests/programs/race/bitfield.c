// Two bit-fields share a memory location: writing one rewrites the other.
// verdict: BUG
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static struct {
  unsigned ready : 1;
#ifdef FIXED
  unsigned : 0;
#endif
  unsigned count : 7;
} state;

static void *mark(void *unused) {
  (void)unused;
  state.ready = 1;  // @A
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, mark, 0);
  state.count = 5;  // @B
  pthread_join(t, 0);
  return state.count != 5 || state.ready != 1;
}
