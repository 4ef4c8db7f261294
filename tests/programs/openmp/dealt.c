// Loops that are dealt out: every way of it is explored, so a race of two iterations is found though they could fall to one thread.
// cflags: -fopenmp -DSCHEDULE=schedule(dynamic)
// verdict: SAFE
// case: naive -fopenmp -DSCHEDULE=schedule(dynamic) -DN=2 -DSHORT
// options: --strategy=naive
// verdict: SAFE
// case: guided -fopenmp -DSCHEDULE=schedule(guided)
// verdict: SAFE
// case: runtime -fopenmp -DSCHEDULE=schedule(runtime)
// verdict: SAFE
// case: runtime-static -fopenmp -DSCHEDULE=schedule(runtime)
// options: --env=OMP_SCHEDULE=static,2
// verdict: SAFE
// case: chunks -fopenmp -DSCHEDULE=schedule(static,2)
// verdict: SAFE
// case: race -fopenmp -DSCHEDULE=schedule(dynamic) -DRACE
// verdict: BUG
// finding: data-race A
// case: race-dpor -fopenmp -DSCHEDULE=schedule(dynamic) -DRACE
// options: --strategy=dpor
// verdict: BUG
// finding: data-race A
// case: race-guided -fopenmp -DSCHEDULE=schedule(guided) -DRACE
// verdict: BUG
// finding: data-race A
// case: once -fopenmp -DSCHEDULE=schedule(dynamic) -DONCE
// verdict: BUG
// finding: assertion B
#include <assert.h>
#include <omp.h>

#ifndef N
#define N 4
#endif
#define PRAGMA(x) _Pragma(#x)
#define LOOP(x)   PRAGMA(x)

static int by[N], chain[N + 1];

int main(void) {
  int last = -1;
  unsigned char small = 0;
#pragma omp parallel num_threads(2)
  {
    LOOP(omp for SCHEDULE lastprivate(last))
    for (int i = N - 1; i >= 0; i--) {
      by[i] = omp_get_thread_num() + 1;
      last = i;
#ifdef RACE
      if (i == 1 || i == 2) chain[0] = i;  // @A
#endif
    }
#ifndef SHORT
    LOOP(omp for SCHEDULE nowait)
    for (long long i = 0; i < 0; i++) assert(0);
    LOOP(omp for SCHEDULE reduction(+ : small))
    for (unsigned char i = 1; i < 7; i += 3) small += i;
#else
#pragma omp master
    small = 5;
#endif
  }
  assert(last == 0 && small == 5);
  for (int i = 0; i < N; i++) assert(by[i]);
#ifdef ONCE
  assert(by[0] != by[1] || by[1] != by[2]);  // @B
#endif
  return 0;
}
