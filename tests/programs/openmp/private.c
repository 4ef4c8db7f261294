// Threadprivate variables last from one region to the next for the thread of the same number; the first thread's are the program's own.
// cflags: -fopenmp
// verdict: SAFE
// case: dpor -fopenmp
// options: --strategy=dpor
// verdict: SAFE
// case: copied -fopenmp -DCOPYIN=copyin(mine)
// verdict: BUG
// finding: assertion A
// case: shared -fopenmp -DSHARED
// verdict: BUG
// finding: data-race R
// finding?: assertion
#include <assert.h>
#include <omp.h>
#include <pthread.h>

static int mine = 5, other;
#ifndef SHARED
#pragma omp threadprivate(mine, other)
#endif
#ifndef COPYIN
#define COPYIN
#endif
#define PRAGMA(x) _Pragma(#x)
#define LOOP(x)   PRAGMA(x)

static void *from_elsewhere(void *unused) {
#ifndef SHARED
  assert(mine == 5);
  mine = 50;
#endif
  return unused;
}

int main(void) {
  int got = 0;
#pragma omp parallel num_threads(2)
  {
    mine += omp_get_thread_num() + 1;  // @R
    if (omp_get_thread_num() == 1) other = mine;
  }
  mine = 30;
  LOOP(omp parallel num_threads(2) COPYIN) {
    int value;
    if (omp_get_thread_num() == 1) assert(mine == 7 && other == 7);  // @A
#pragma omp single copyprivate(value)
    value = 3;
#pragma omp atomic
    got += value;
  }
  assert(got == 6 && mine == 30);
  pthread_t t;
  pthread_create(&t, 0, from_elsewhere, 0);
  pthread_join(t, 0);
  assert(mine == 30);
  return 0;
}
