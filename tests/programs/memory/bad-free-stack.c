// Frees a local variable.
// verdict: BUG
// finding: bad-free A
// case: fixed -DFIXED
// verdict: SAFE
#include <stdlib.h>

static void release(void *volatile block) {
  free(block);  // @A
}

int main(void) {
  int local = 0;
  void *block = &local;
#ifdef FIXED
  block = malloc(sizeof local);
#endif
  release(block);
  return local;
}
