// A reduction of vectors.
#include "openmp.h"
#include <vector>
#pragma omp declare reduction(join : std::vector<int> : omp_out.insert(omp_out.end(), omp_in.begin(), omp_in.end()))
int main() {
  std::vector<int> all;
#ifdef RACY
  all.reserve(N);
#pragma omp parallel for num_threads(4)
#else
#pragma omp parallel for num_threads(4) reduction(join : all)
#endif
  for (int i = 0; i < N; i++) all.push_back(i); /* race */
  return all.empty();
}
