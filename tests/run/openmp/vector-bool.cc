// A vector of bits: eight of them are one byte.
#include "openmp.h"
#include <vector>
int main() {
#ifdef RACY
  std::vector<bool> seen(N);
#else
  std::vector<char> seen(N);
#endif
#pragma omp parallel for num_threads(4) schedule(static, 1)
  for (int i = 0; i < N; i++) seen[i] = true; /* race */
  return !seen[0];
}
