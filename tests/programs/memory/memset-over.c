// memset() with the size of another object.
// verdict: BUG
// finding: out-of-bounds A
// case: fixed -DFIXED
// verdict: SAFE
#include <stdlib.h>
#include <string.h>

struct small {
  int a, b;
};
struct large {
  int a, b, c;
};

static void clear(void *object, size_t size) {
  memset(object, 0, size);  // @A
}

int main(void) {
  struct small *s = malloc(sizeof *s);
  if (!s) return 0;
#ifdef FIXED
  clear(s, sizeof *s);
#else
  clear(s, sizeof(struct large));
#endif
  int a = s->a;
  free(s);
  return a;
}
