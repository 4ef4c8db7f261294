// A structure read through a pointer to a block that is too small for it.
// verdict: BUG
// finding: out-of-bounds A
// case: fixed -DFIXED
// verdict: SAFE
#include <stdlib.h>

struct record {
  long key;
  long value;
};

int main(void) {
#ifdef FIXED
  struct record *r = calloc(1, sizeof(struct record));
#else
  struct record *r = calloc(1, sizeof(long) + 4);
#endif
  if (!r) return 0;
  r->key = 1;
  long value = r->value;  // @A
  free(r);
  return (int)value;
}
