// A loop with as many turns as an input says: five are tried although there can be four thousand million.
// verdict: BUG
// finding: abort A
#include <heddle.h>
#include <stdlib.h>

int main(void) {
  unsigned n, turns = 0;
  hd_symbolic(&n, sizeof n, "n");
  while (turns < n) turns++;
  if (turns == 5) abort(); /* @A */
  return 0;
}
