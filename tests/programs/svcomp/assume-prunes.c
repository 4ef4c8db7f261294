// Executions that end in a false assumption do not count, whatever they did before: 4 of 16 remain.
// verdict: SAFE
// executions: 4
#include <heddle.h>

int main(void) {
  unsigned a = hd_choose(4), b = hd_choose(4);
  hd_assume(a + b == 3);
  hd_assert(a * b <= 2);
  return 0;
}
