// A structure's copy reads, then writes: what others store to its source in between is not copied. It was, so `to` was never 0.
// verdict: BUG
// finding: assertion lost
// finding?: data-race
// case: after -DFIXED
// verdict: SAFE
#include <assert.h>
#include <pthread.h>

static struct big {
  long x[3];
} from, to;

static void *copier(void *unused) {
  to = from;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, copier, NULL);
#ifdef FIXED
  pthread_join(t, NULL);
#endif
  from.x[0] = 1;
  to.x[0] = 2;
#ifndef FIXED
  pthread_join(t, NULL);
#endif
  assert(to.x[0] != 0); /* @lost */
}
