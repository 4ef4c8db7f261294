// Frees a string constant in one branch.
// verdict: BUG
// finding: bad-free A
// case: fixed -DFIXED
// verdict: SAFE
#include <heddle.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *name = (char *)"default";
  if (hd_choose(2)) name = strdup("given");
#ifdef FIXED
  if (strcmp(name, "default") != 0)
#endif
    free(name);  // @A
  return 0;
}
