// strlen() of a string that strncpy() left without a terminator.
// verdict: BUG
// finding: out-of-bounds A
// case: fixed -DFIXED
// verdict: SAFE
#include <stdlib.h>
#include <string.h>

int main(void) {
  volatile size_t room = 4;
  char *name = malloc(room);
  if (!name) return 0;
  strncpy(name, "weave", room);
#ifdef FIXED
  name[3] = 0;
#endif
  size_t length = strlen(name);  // @A
  free(name);
  return length != 3;
}
