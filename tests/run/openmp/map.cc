// A map that all fill.
#include "openmp.h"
#include <map>
int main() {
  std::map<int, int> squares;
  bool seen = false;
#pragma omp parallel for num_threads(4) schedule(static, 1)
  for (int i = 0; i < 8; i++) {
#pragma omp critical
    squares[i] = i * i; /* race */
#ifdef RACY
    if (squares.size() > 100) seen = true; /* race */
#endif
  }
  return squares.empty() || seen;
}
