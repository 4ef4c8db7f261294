// Constant places outside of a local whose address nobody else has: compilers' passes leave such accesses out.
// verdict: BUG
// finding: out-of-bounds A
// case: read -DREAD
// verdict: BUG
// finding: out-of-bounds B
// case: filled -DFILLED
// verdict: BUG
// finding: out-of-bounds C
// case: within -DWITHIN
// verdict: SAFE
#include <string.h>

struct pair {
  int first, second;
};

int main(void) {
  int a[2] = {1, 2}, sum = 0;
  struct pair p = {3, 4};
  char text[4] = "abc";
#if defined READ
  sum += (&p.first)[2]; // @B
#elif defined FILLED
  memset(text, 0, 5); // @C
#elif defined WITHIN
  a[1] = 5;
  sum += (&p.first)[1];
  memset(text, 0, 4);
#else
  a[2] = 3; // @A
#endif
  return sum + a[0] + p.second + text[0] == 0;
}
