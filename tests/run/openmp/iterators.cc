// A loop of iterators.
#include "openmp.h"
#include <vector>
int main() {
  std::vector<int> v(N, 1);
  int sum = 0;
#ifdef RACY
#pragma omp parallel for num_threads(4)
#else
#pragma omp parallel for num_threads(4) reduction(+ : sum)
#endif
  for (std::vector<int>::iterator i = v.begin(); i < v.end(); ++i) sum += *i; /* race */
  return sum < 1;
}
