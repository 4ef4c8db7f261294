// A size that is computed in eight bits.
// verdict: BUG
// finding: out-of-bounds A
// case: fixed
// verdict: SAFE
// cflags: -DFIXED
#include <heddle.h>
#include <stdlib.h>

int main(void) {
  unsigned char n;
  hd_symbolic(&n, sizeof n, "n");
#ifdef FIXED
  if (n > 15) return 1;
#endif
  unsigned char size = (unsigned char)(n * 16);
  char *records = malloc(size);
  if (n > 3) records[3 * 16] = 1; /* @A */
  free(records);
  return 0;
}
