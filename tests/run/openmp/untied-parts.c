/* only: clang. A part of an untied task that ends before the thread that made it go on has returned to the library: other threads do the
 * parts, and here that one is slow. */
#include "openmp.h"

#include <dlfcn.h>

int done, order;
int __kmpc_omp_task(void *place, int thread, void *task);
/* Stands before the library's: the program calls it at each point where an untied task may go on elsewhere. */
__attribute__((no_sanitize("thread"))) int __kmpc_omp_task(void *place, int thread, void *task) {
  static int (*next)(void *, int, void *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "__kmpc_omp_task");
  int result = next(place, thread, task);
  pause_a_moment();
  return result;
}
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 12; i++) {
#pragma omp task untied
    {
      pause_a_moment();
#pragma omp taskyield
#pragma omp critical /* race */
      done++;             /* race */
#ifdef RACY
      order = done; /* race */
#endif
    }
  }
  return done != 12 || order > 12;
}
