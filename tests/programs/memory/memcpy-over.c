// memcpy() of more than the target holds.
// verdict: BUG
// finding: out-of-bounds A
// case: fixed -DFIXED
// verdict: SAFE
#include <stdlib.h>
#include <string.h>

static size_t amount(void) {
#ifdef FIXED
  return 16;
#else
  return 17;
#endif
}

int main(void) {
  char *to = malloc(16), *from = calloc(1, 32);
  if (to && from) memcpy(to, from, amount());  // @A
  free(to);
  free(from);
  return 0;
}
