// A function that has what it uses by reference, or by value.
#include "openmp.h"
int main() {
  int sum = 0, all = 0;
#ifdef RACY
  auto add = [&sum](int n) { return sum += n; /* race */ };
#else
  auto add = [sum](int n) { return sum + n; };
#endif
#pragma omp parallel for num_threads(4) reduction(+ : all)
  for (int i = 0; i < N; i++) all += add(i) > 0;
  return all < 1;
}
