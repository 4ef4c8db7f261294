/* Bit-fields of one word are one memory location; fields of their own are not. */
#include "openmp.h"
struct flags {
#ifdef RACY
  unsigned a : 4, b : 4;
#else
  unsigned char a, b;
#endif
} flags;
int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0)
      flags.a = 1; /* race */
    else
      flags.b = 2; /* race */
  }
  return flags.a + flags.b > 3;
}
