// Reads one element past a heap block.
// verdict: BUG
// finding: out-of-bounds A
// case: fixed -DFIXED
// verdict: SAFE
#include <stdlib.h>

#ifdef FIXED
#define LAST 3
#else
#define LAST 4
#endif

int main(void) {
  int *block = malloc(4 * sizeof *block);
  if (!block) return 0;
  for (int i = 0; i < 4; i++) block[i] = i;
  int sum = 0;
  for (int i = 0; i <= LAST; i++)
    sum += block[i];  // @A
  free(block);
  return sum == 6 ? 0 : 1;
}
