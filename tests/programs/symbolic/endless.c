// A server that reads for ever: each input is another one, so no state is known again.
// verdict: BOUNDED
// options: --step-limit=20000 --executions=2
// case: bug
// verdict: BUG
// options: --step-limit=300
// cflags: -DBUG
// finding: assertion A
#include <heddle.h>

int main(void) {
  unsigned state = 0;
  for (;;) {
    unsigned char byte;
    hd_symbolic(&byte, 1, "byte");
    if (byte == 'q') break;
    state = state * 2 + (byte == 'x');
#ifdef BUG
    hd_assert((state & 15) != 11); /* @A */
    if (state > 63) break;
#endif
  }
  return 0;
}
