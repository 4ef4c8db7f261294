/* A task that is over when its event is fulfilled. */
#include "openmp.h"
int main(void) {
  int x = 0, seen = 0;
  omp_event_handle_t event;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task detach(event) shared(x)
    x = 1; /* race */
#pragma omp task shared(x) firstprivate(event)
    {
      pause_a_moment();
#ifndef RACY
      (void)0;
#endif
      omp_fulfill_event(event);
#ifdef RACY
      pause_a_moment();
      x = 2; /* race */
#endif
    }
    pause_a_moment();
#ifndef RACY
#pragma omp taskwait
#endif
    seen = x; /* race */
  }
  return seen > 2;
}
