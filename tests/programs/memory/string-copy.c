// strcpy() without room for the terminator.
// verdict: BUG
// finding: out-of-bounds A
// case: fixed -DFIXED
// verdict: SAFE
#include <stdlib.h>
#include <string.h>

static char *duplicate(const char *text) {
#ifdef FIXED
  char *copy = malloc(strlen(text) + 1);
#else
  char *copy = malloc(strlen(text));
#endif
  if (copy) strcpy(copy, text);  // @A
  return copy;
}

int main(void) {
  char *copy = duplicate("heddle");
  int wrong = copy && copy[5] != 'e';
  free(copy);
  return wrong;
}
