// Threads that make threads, DEPTH deep: each has a name of its own, so that the schedule of the race with the innermost can be replayed.
// cflags: -DDEPTH=40
// verdict: BUG
// finding: data-race A B
// case: deeper -DDEPTH=200
// verdict: BUG
// finding: data-race A B
// case: fixed -DDEPTH=40 -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
static atomic_int x;
#else
static int x;
#endif

static void *inner(void *depth) {
  long n = (long)depth;
  pthread_t t;
  if (n == 0) {
    x++;  // @A
    return 0;
  }
  pthread_create(&t, 0, inner, (void *)(n - 1));
  pthread_join(t, 0);
  return 0;
}

static void *beside(void *unused) {
  x++;  // @B
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, beside, 0);
  pthread_create(&u, 0, inner, (void *)(long)DEPTH);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
