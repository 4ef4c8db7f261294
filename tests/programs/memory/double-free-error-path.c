// The error path frees what the common exit frees again.
// verdict: BUG
// finding: double-free A
// case: fixed -DFIXED
// verdict: SAFE
#include <heddle.h>
#include <stdlib.h>

static int parse(char *buffer) {
  if (hd_choose(2)) {
#ifndef FIXED
    free(buffer);
#endif
    return -1;
  }
  buffer[0] = 1;
  return 0;
}

int main(void) {
  char *buffer = malloc(8);
  if (!buffer) return 0;
  int result = parse(buffer);
  free(buffer);  // @A
  return result > 0;
}
