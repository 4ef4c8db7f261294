// Structures, copies, tables, floating point, and functions of the C library.
// verdict: SAFE
// case: wrong
// verdict: BUG
// cflags: -DWRONG
// finding: assertion A
#include <heddle.h>
#include <stdlib.h>
#include <string.h>

struct message {
  unsigned char kind, length;
  char text[6];
};

static const int weights[4] = {3, 1, 4, 1};

int main(void) {
  struct message m, copy;
  char *p = malloc(4);
  hd_symbolic(&m, sizeof m, "message");
  hd_assume(m.kind < 4 && m.length < 6);
  copy = m;
  memcpy(p, copy.text, 4);
  p = realloc(p, 64);
  int weight = weights[copy.kind];
  double half = weight * 0.5;
  if (p[0] == 'a' && p[1] == 'b' && p[3] == 0 && half > 1.6) {
    copy.text[5] = 0;
#ifdef WRONG
    hd_assert(copy.kind != 2 || m.text[2] != 'c'); /* @A */
#endif
    hd_assert(weight == 4 && copy.text[0] + 1 == 'b');
  }
  free(p);
  return 0;
}
