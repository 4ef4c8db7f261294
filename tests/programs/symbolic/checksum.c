// A message of four bytes whose checksum is right.
// verdict: BUG
// finding: abort A
// case: fixed
// verdict: SAFE
// cflags: -DFIXED
#include <heddle.h>
#include <stdlib.h>

int main(void) {
  unsigned char message[4];
  unsigned sum = 7;
  hd_symbolic(message, sizeof message, "message");
#ifdef FIXED
  hd_assume(message[3] == 0);
#endif
  for (int i = 0; i < 4; i++) sum = sum * 31 + message[i];
  if (sum == 7 * 923521 + 3 * 29791 + 250 * 961 + 9 * 31 + 250) /* no message with a last byte of 0 has it */
    abort();                                                    /* @A */
  return 0;
}
