// What threads of a region know of each other; a region within one has one thread; what the thread that came to it may see behind it.
// cflags: -fopenmp
// verdict: SAFE
// case: naive -fopenmp
// options: --strategy=naive
// verdict: SAFE
// case: single -fopenmp -DTWICE
// verdict: BUG
// finding: data-race|assertion A
// finding?: assertion
#include <assert.h>
#include <omp.h>

static int singles, masters;

static void within(void) {
  int sizes = 0;
#pragma omp parallel reduction(+ : sizes)
  {
    assert(omp_get_level() == 2 && omp_get_active_level() == 1 && omp_get_thread_num() == 0);
    sizes += omp_get_num_threads();
  }
  assert(sizes == 1);
}

int main(void) {
  int seen[2] = {0};
  assert(!omp_in_parallel() && omp_get_num_threads() == 1 && omp_get_max_threads() == 2);
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    assert(omp_in_parallel() && omp_get_num_threads() == 2);
    seen[me]++;
#ifdef TWICE
    singles++;  // @A
#else
#pragma omp single
    singles++;
#endif
#pragma omp single nowait
    singles++;
#pragma omp master
    masters += me + 1;
    if (me == 1) within();
  }
  assert(seen[0] == 1 && seen[1] == 1 && masters == 1);
#ifndef TWICE
  assert(singles == 2);
#endif
  omp_set_num_threads(3);
#pragma omp parallel if (masters > 1)
  assert(!omp_in_parallel() && omp_get_num_threads() == 1 && omp_get_level() == 1);
  int threads = 0;
#pragma omp parallel
#pragma omp atomic
  threads++;
  assert(threads == 3 && omp_get_max_threads() == 3 && omp_get_level() == 0);
  return 0;
}
