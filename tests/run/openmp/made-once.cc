// What a function keeps is made once, by who comes first.
#include "openmp.h"
#include <string>
struct table {
  int a[8];
  int uses = 0;
  table() {
    for (int i = 0; i < 8; i++) a[i] = i;
  }
};
static table &get() {
  static table t;
#ifdef RACY
  t.uses++; /* race */
#endif
  return t;
}
int main() {
  int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  sum += get().a[omp_get_thread_num()];
  return sum != 6;
}
