// Elements of a vector, or the vector.
#include "openmp.h"
#include <vector>
int main() {
  std::vector<int> v(N), w;
  w.reserve(N);
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < N; i++) {
    v[i] = i;
#ifdef RACY
    w.push_back(i); /* race */
#endif
  }
  return v[1] != 1;
}
