// A loop that leaves nothing behind but memory that it has forgotten: on the heap, or on its stack. It does not go round in a circle, for the
// memory runs out (here: what it is allowed). The twin gives back what it takes, and goes on for ever, in every execution that main lets it.
// options: --no-leaks
// verdict: BUG
// finding: assertion A
// case: dpor
// options: --no-leaks --strategy=dpor
// verdict: BUG
// finding: assertion A
// case: stack -DSTACK
// verdict: BUG
// finding: assertion A
// case: fixed -DFIXED
// verdict: SAFE
// case: fixed-dpor -DFIXED
// options: --strategy=dpor
// verdict: SAFE
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_int x;

#ifdef STACK
#define take alloca
#else
#define take malloc
#endif

static void *loop(void *unused) {
  uintptr_t first = (uintptr_t)take(16);
#ifdef FIXED
  free((void *)first);
#endif
  for (;;) {
    x = 1;
    x = 0;
    void *more = take(16);
#ifdef FIXED
    free(more);
#else
    assert((uintptr_t)more < first + 2500);  // @A
#endif
  }
  return unused;
}

static void *other(void *unused) {
  x = 0;
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, loop, 0);
  pthread_create(&u, 0, other, 0);
  pthread_join(u, 0);
  return 0;
}
