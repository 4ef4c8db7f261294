/* Integer loop: xorshift, with a data-dependent branch. */
#include <stdlib.h>

int main(int argc, char **argv) {
  long rounds = argc > 1 ? atol(argv[1]) : 1;
  unsigned long x = 88172645463325252ul, sum = 0;
  for (long i = 0; i < rounds; i++) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    if (x & 1)
      sum += x;
    else
      sum ^= (unsigned long)i;
  }
  return (int)(sum & 127);
}
