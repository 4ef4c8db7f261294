// Counts of references are atomic; what is pointed to is not.
#include "openmp.h"
#include <memory>
int main() {
  auto p = std::make_shared<int>(1);
  int sum = 0;
#pragma omp parallel num_threads(4) firstprivate(p) reduction(+ : sum)
  {
#ifdef RACY
    pause_a_moment();
    *p += 1; /* race */
#endif
    std::shared_ptr<int> other = p;
    sum += *other; /* race */
  }
  return sum < 4;
}
