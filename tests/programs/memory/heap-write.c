// Writes below a heap block in one branch of a choice.
// verdict: BUG
// finding: out-of-bounds A
// case: fixed -DFIXED
// verdict: SAFE
#include <heddle.h>
#include <stdlib.h>

int main(void) {
  int *block = malloc(8 * sizeof *block);
  if (!block) return 0;
  int index = (int)hd_choose(4) - 1;
#ifdef FIXED
  if (index < 0) index = 0;
#endif
  block[index] = 7;  // @A
  free(block);
  return 0;
}
