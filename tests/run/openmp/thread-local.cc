// Variables of threads.
#include "openmp.h"
#ifdef RACY
static int calls;
#else
static thread_local int calls;
#endif
static int count() { return ++calls; /* race */ }
int main() {
  int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  for (int i = 0; i < 10; i++) sum += count();
  return sum < 4;
}
