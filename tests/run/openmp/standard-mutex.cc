// A mutex of the language in a region.
#include "openmp.h"
#include <mutex>
std::mutex mutex;
int count;
int main() {
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 40; i++) {
    std::unique_lock<std::mutex> lock(mutex);
#ifdef RACY
    if (i % 10 == 9) lock.unlock();
#endif
    count++; /* race */
  }
  return count < 1;
}
