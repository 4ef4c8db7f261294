// A loop over all that a container has.
#include "openmp.h"
#include <vector>
int main() {
  std::vector<int> v(N, 1);
  int most = 0;
#pragma omp parallel for num_threads(4)
  for (int &x : v) {
    x += 1;
#ifdef RACY
    if (x > most) most = x; /* race */
    most++;                 /* race */
#endif
  }
  return v[0] != 2 || most < 0;
}
