/* A value is read when the section is over. */
#include "openmp.h"
int next, taken[4];
int main(void) {
#pragma omp parallel num_threads(4)
  {
    int mine;
#ifdef RACY
#pragma omp critical
    next++;      /* race */
    mine = next; /* race */
#else
#pragma omp critical
    {
      next++;
      mine = next;
    }
#endif
    taken[omp_get_thread_num()] = mine;
  }
  return taken[0] < 1;
}
