/* So many threads that the library reduces in the barrier. */
#include "openmp.h"
int main(void) {
  long a = 0, b = 0;
  double c = 1;
  for (int k = 0; k < 3; k++) {
#ifdef RACY
#pragma omp parallel for num_threads(9) reduction(+ : a) reduction(* : c) /* race */
#else
#pragma omp parallel for num_threads(9) reduction(+ : a, b) reduction(* : c)
#endif
    for (int i = 0; i < N; i++) {
      a += i, c *= 1;
      b += i; /* race */
    }
  }
  return a + b < 0 || c < 0;
}
