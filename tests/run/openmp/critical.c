/* Critical sections of one name exclude each other, others do not. */
#include "openmp.h"
#ifdef RACY
#define SECOND other
#else
#define SECOND first
#endif
#define PRAGMA(x) _Pragma(#x)
#define CRITICAL(name) PRAGMA(omp critical(name))
int count;
int main(void) {
#pragma omp parallel num_threads(4)
  {
    if (omp_get_thread_num() % 2) {
      CRITICAL(first)
      count++; /* race */
    } else {
      CRITICAL(SECOND)
      count += 2; /* race */
    }
  }
  return count != 6;
}
