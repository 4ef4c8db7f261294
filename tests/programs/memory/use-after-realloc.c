// Keeps a pointer into a block across realloc().
// verdict: BUG
// finding: use-after-free A
// case: fixed -DFIXED
// verdict: SAFE
#include <stdlib.h>

int main(void) {
  int *items = malloc(2 * sizeof *items);
  if (!items) return 0;
  items[0] = 5;
  int *volatile first = &items[0];
  int *more = realloc(items, 4096 * sizeof *items);
  if (!more) return 0;
#ifdef FIXED
  first = &more[0];
#endif
  int value = *first;  // @A
  free(more);
  return value != 5;
}
