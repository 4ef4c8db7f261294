// Frees a pointer into the middle of a block.
// verdict: BUG
// finding: bad-free A
// case: fixed -DFIXED
// verdict: SAFE
#include <stdlib.h>

int main(void) {
  char *start = malloc(8);
  if (!start) return 0;
  char *volatile cursor = start;
  while (cursor < start + 3) cursor++;
#ifdef FIXED
  cursor = start;
#endif
  free(cursor);  // @A
  return 0;
}
