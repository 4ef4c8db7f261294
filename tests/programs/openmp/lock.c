// Locks of OpenMP, simple and nested.
// cflags: -fopenmp
// verdict: SAFE
// case: naive -fopenmp
// options: --strategy=naive
// verdict: SAFE
// case: nest -fopenmp -DNEST
// verdict: SAFE
// case: test -fopenmp -DTEST
// verdict: SAFE
// case: other -fopenmp -DOTHER
// verdict: BUG
// finding: thread-misuse U
// finding?: data-race
// case: uninitialised -fopenmp -DNO_INIT
// verdict: BUG
// finding: thread-misuse L
// case: again -fopenmp -DAGAIN
// verdict: BUG
// finding: deadlock L G
#include <assert.h>
#include <omp.h>

static omp_lock_t lock;
static omp_nest_lock_t nest;
static int x;

static void add(void) {
#ifdef NEST
  omp_set_nest_lock(&nest);
  assert(omp_test_nest_lock(&nest) == 2);
  x++;
  omp_unset_nest_lock(&nest);
  omp_unset_nest_lock(&nest);
#elif defined TEST
  while (!omp_test_lock(&lock)) {
  }
  x++;
  omp_unset_lock(&lock);
#elif defined OTHER
  if (omp_get_thread_num() == 0) omp_set_lock(&lock);
  x++;
  if (omp_get_thread_num() == 1) omp_unset_lock(&lock);  // @U
#else
  omp_set_lock(&lock);  // @L
#ifdef AGAIN
  omp_set_lock(&lock);  // @G
#endif
  x++;
  omp_unset_lock(&lock);
#endif
}

int main(void) {
#ifndef NO_INIT
  omp_init_lock(&lock);
#endif
  omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(2)
  add();
#ifndef OTHER
  assert(x == 2);
#endif
  omp_destroy_nest_lock(&nest);
  omp_destroy_lock(&lock);
  return 0;
}
