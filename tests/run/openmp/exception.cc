// Exceptions that stay within the region.
#include "openmp.h"
#include <stdexcept>
int failed;
int main() {
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 40; i++) {
    try {
      if (i % 10 == 0) throw std::runtime_error("no");
    } catch (const std::runtime_error &) {
#ifndef RACY
#pragma omp atomic
#endif
      failed++; /* race */
    }
  }
  return failed < 1;
}
