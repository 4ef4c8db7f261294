// A method with a loop: the object is everybody's.
#include "openmp.h"
#include <vector>
class histogram {
  std::vector<int> count;
  int all = 0;

public:
  histogram() : count(N) {}
  void add() {
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < N; i++) {
      count[i]++;
#ifndef RACY
#pragma omp atomic
#endif
      all++; /* race */
    }
  }
  int get() const { return all; }
};
int main() {
  histogram h;
  h.add();
  return h.get() < 1;
}
