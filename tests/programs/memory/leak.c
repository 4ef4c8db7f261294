// Loses the only pointer to a block.
// verdict: BUG
// finding: leak A
// case: fixed -DFIXED
// verdict: SAFE
#include <stdlib.h>

static char *volatile text;

int main(void) {
  text = malloc(16);  // @A
  if (!text) return 0;
  text[0] = 'x';
#ifdef FIXED
  free(text);
#endif
  text = 0;
  return 0;
}
