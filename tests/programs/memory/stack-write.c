// A loop whose bound is one too large, on a local array.
// verdict: BUG
// finding: out-of-bounds A
// case: fixed -DFIXED
// verdict: SAFE
#include <heddle.h>

#ifdef FIXED
#define STOP(i, n) ((i) < (n))
#else
#define STOP(i, n) ((i) <= (n))
#endif

static int fill(int *array, int n) {
  for (int i = 0; STOP(i, n); i++)
    array[i] = i;  // @A
  return array[n - 1];
}

int main(void) {
  int local[5] = {0};
  return fill(local, 5) == 4 ? 0 : 1;
}
