/* A region of one thread: nothing races in it, whatever the program says. */
#include "openmp.h"
int sum;
int main(int argc, char **argv) {
  (void)argv;
#ifdef RACY
#pragma omp parallel for num_threads(4) if (argc == 1)
#else
#pragma omp parallel for num_threads(4) if (argc > 1)
#endif
  for (int i = 0; i < N; i++) sum += i; /* race */
  return sum < 0;
}
