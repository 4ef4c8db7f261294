// An access through a pointer made from a number.
// verdict: BUG
// finding: out-of-bounds A
// case: fixed -DFIXED
// verdict: SAFE
#include <stdint.h>

#ifdef FIXED
static int here = 4;
#endif

int main(void) {
#ifdef FIXED
  volatile uintptr_t number = (uintptr_t)&here;
#else
  volatile uintptr_t number = 0x12345678;
#endif
  int *pointer = (int *)number;
  return *pointer - 4;  // @A
}
