// Tasks: what one writes is there behind a taskwait, the end of a taskgroup or a barrier, and for tasks that depend on it.
// cflags: -fopenmp -DTEST=wait
// verdict: SAFE
// case: wait-dpor -fopenmp -DTEST=wait
// options: --strategy=dpor
// verdict: SAFE
// case: no-wait -fopenmp -DTEST=wait -DNO_WAIT
// verdict: BUG
// finding: data-race W R
// finding?: assertion
// finding?: data-race W
// case: group -fopenmp -DTEST=group
// verdict: SAFE
// case: depend -fopenmp -DTEST=depend
// verdict: SAFE
// case: depend-dpor -fopenmp -DTEST=depend
// options: --strategy=dpor
// verdict: SAFE
// case: no-depend -fopenmp -DTEST=depend -DINDEPENDENT
// verdict: BUG
// finding: data-race P Q
// finding?: assertion
// case: loop -fopenmp -DTEST=loop
// verdict: SAFE
// case: reduced -fopenmp -DTEST=reduced
// verdict: SAFE
// case: alone -fopenmp -DALONE
// verdict: SAFE
#include <assert.h>
#include <omp.h>

static int x, a, cells[2];

#ifdef INDEPENDENT
#define IN
#else
#define IN depend(in : x)
#endif
#define PRAGMA(x) _Pragma(#x)
#define TASK(x)   PRAGMA(omp task x)

static void wait(void) {
  int first = 0;
#pragma omp task shared(first)
  first = 1;  // @W
#ifndef NO_WAIT
#pragma omp taskwait
#endif
  assert(first == 1);  // @R
}

static void depend(void) {
  TASK(depend(out : x))
  x = 1;  // @P
  TASK(IN)
  a = x;  // @Q
#pragma omp taskwait
  assert(a == 1);
}

static void group(void) {
#pragma omp taskgroup
  {
#pragma omp task untied
    {
#pragma omp task
      a = 1;
    }
  }
  assert(a == 1);
}

static void reduced(void) {
  int sum = 10;
#pragma omp taskgroup task_reduction(+ : sum)
  {
#pragma omp task in_reduction(+ : sum)
    sum += 1;
    sum += 2;
#pragma omp task in_reduction(+ : sum)
    sum += 4;
  }
  assert(sum == 17);
}

static void loop(void) {
#pragma omp taskloop
  for (int i = 0; i < 2; i++) cells[i] = i + 1;
  assert(cells[0] == 1 && cells[1] == 2);
}

static int fib(int n) {
  int first = 0, second = 0;
  if (n < 2) return n;
#pragma omp task shared(first)
  first = fib(n - 1);
#pragma omp task shared(second) if (n > 2) final(n < 3)
  second = fib(n - 2);
#pragma omp taskwait
  return first + second;
}

int main(void) {
#ifdef ALONE
  wait(), depend(), group(), reduced(), loop();
  assert(fib(4) == 3 && !omp_in_final());
  omp_set_num_threads(3);
#pragma omp task if (0)
  omp_set_num_threads(5); /* its own setting */
  assert(omp_get_max_threads() == 3);
#else
#pragma omp parallel num_threads(2)
#pragma omp single
  TEST();
#endif
  return 0;
}
