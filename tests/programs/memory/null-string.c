// strlen() of a variable that the environment does not have.
// verdict: BUG
// finding: null-dereference A
// case: fixed -DFIXED
// verdict: SAFE
#include <stdlib.h>
#include <string.h>

int main(void) {
  const char *value = getenv("HEDDLE_NO_SUCH_VARIABLE");
#ifdef FIXED
  if (!value) value = "";
#endif
  return strlen(value) != 0;  // @A
}
