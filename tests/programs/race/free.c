// free() is an access: it races with a read of the block.
// verdict: BUG
// finding: data-race|use-after-free A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *reader(void *unused) {
  (void)unused;
  return *block == 1 ? 0 : block;  // @A
}

int main(void) {
  pthread_t t;
  block = malloc(sizeof *block);
  if (!block) return 0;
  *block = 1;
  pthread_create(&t, 0, reader, 0);
#ifdef FIXED
  pthread_join(t, 0);
  free(block);
#else
  free(block);  // @B
  pthread_join(t, 0);
#endif
  return 0;
}
