// A block is freed and used again by its thread while another one still has the old pointer to it: whether that comes before the block is in
// use again or behind, it is a use after free.
// verdict: BUG
// finding: use-after-free A
// case: dpor
// options: --strategy=dpor
// verdict: BUG
// finding: use-after-free A
// case: realloc -DREALLOC
// verdict: BUG
// finding: use-after-free A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdlib.h>

enum { BLOCKS = 40, SIZE = 8192 }; /* freed blocks are not used again at once */

static char *stale;

static void *work(void *unused) {
  stale[0] = 1;  // @A
  return unused;
}

int main(void) {
  static char *blocks[BLOCKS];
  pthread_t t;
  char *more = malloc(16);
  for (int i = 0; i < BLOCKS; i++) blocks[i] = malloc(SIZE);
#ifdef FIXED
  stale = malloc(1);
#else
  stale = blocks[0];
#endif
  for (int i = 0; i < BLOCKS; i++) free(blocks[i]);
  pthread_create(&t, 0, work, 0);
#ifdef REALLOC
  more = realloc(more, SIZE);
  char *again = 0;
#else
  char *again = malloc(SIZE);
#endif
  pthread_join(t, 0);
  free(again);
  free(more);
#ifdef FIXED
  free(stale);
#endif
  return 0;
}
