/* Two accesses that say nothing new, again and again: what is left is the check itself. usage: loop TIMES */
#include <stdlib.h>

static int a[64];

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 0;
  int sum = 0;
  for (long i = 0; i < n; i++) {
    a[i & 63] = sum;
    sum += a[(i + 1) & 63];
  }
  return sum & 1;
}
