/* Each thread has a field. */
#include "openmp.h"
struct {
  short a, b;
  char c, d;
} s;
int main(void) {
#pragma omp parallel sections num_threads(4)
  {
#pragma omp section
    s.a = 1;
#pragma omp section
    {
      pause_a_moment();
      s.b = 2;
    }
#pragma omp section
    {
      pause_a_moment();
      s.c = 3; /* race */
    }
#pragma omp section
    {
      pause_a_moment();
#ifdef RACY
      s.c = 4; /* race */
#else
      s.d = 4;
#endif
    }
  }
  return s.a != 1;
}
