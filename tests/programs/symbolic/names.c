// Threads one after the other, the last of which have names that others had before: their inputs are inputs of their own.
// verdict: BUG
// finding: abort A
// case: fixed
// verdict: SAFE
// cflags: -DFIXED
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 34 };
static unsigned char given[THREADS];

static void *draw(void *place) {
  hd_symbolic(place, 1, "byte");
  return NULL;
}

int main(void) {
  for (int i = 0; i < THREADS; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, draw, &given[i]);
    pthread_join(thread, NULL);
  }
#ifdef FIXED
  hd_assume(given[0] == given[33]);
#endif
  if (given[0] != given[33]) abort(); /* @A */
  return 0;
}
