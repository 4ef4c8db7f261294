// Atomics of the language in a region.
#include "openmp.h"
#include <atomic>
std::atomic<bool> ready;
std::atomic<int> count;
int data, got;
int main() {
#pragma omp parallel num_threads(2)
  {
    count++;
    if (omp_get_thread_num() == 0) {
#ifdef RACY
      ready.store(true, std::memory_order_release);
      data = 1; /* race */
#else
      data = 1;
      ready.store(true, std::memory_order_release);
#endif
    } else {
      while (!ready.load(std::memory_order_acquire)) usleep(1);
      got = data; /* race */
    }
  }
  return count != 2 || got > 1;
}
