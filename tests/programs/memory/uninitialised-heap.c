// Branches on memory that malloc() returned.
// verdict: BUG
// finding: uninitialised A
// case: fixed -DFIXED
// verdict: SAFE
#include <stdlib.h>

int main(void) {
#ifdef FIXED
  int *block = calloc(2, sizeof *block);
#else
  int *block = malloc(2 * sizeof *block);
#endif
  if (!block) return 0;
  block[0] = 1;
  int result = 0;
  if (block[1])  // @A
    result = 1;
  free(block);
  return result;
}
