// Critical sections of different names do not exclude each other; one that is entered again by its own thread is a deadlock.
// cflags: -fopenmp
// verdict: BUG
// finding: data-race A B
// case: atomic -fopenmp -DATOMIC
// verdict: BUG
// finding: data-race C D
// case: atomic-dpor -fopenmp -DATOMIC
// options: --strategy=dpor
// verdict: BUG
// finding: data-race C D
// case: again -fopenmp -DAGAIN
// verdict: BUG
// finding: deadlock F E
// case: crossed -fopenmp -DCROSSED
// verdict: BUG
// finding: deadlock G H I J
// case: fixed -fopenmp -DFIXED
// verdict: SAFE
// case: fixed-naive -fopenmp -DFIXED
// options: --strategy=naive
// verdict: SAFE
// case: fixed-atomic -fopenmp -DATOMIC -DFIXED
// verdict: SAFE
#include <assert.h>

static int x;

#ifdef FIXED
#define OTHER(x) _Pragma("omp critical(one)")
#define PLAIN    _Pragma("omp atomic")
#else
#define OTHER(x) _Pragma("omp critical(two)")
#define PLAIN
#endif

static void add(int thread) {
#ifdef ATOMIC
  if (thread == 0) {
#pragma omp atomic
    x++;  // @C
  } else {
    PLAIN
    x++;  // @D
  }
#else
  if (thread == 0) {
#pragma omp critical(one)
    x++;  // @A
  } else {
    OTHER()
    x++;  // @B
  }
#endif
}

static void again(void) {
#pragma omp critical  // @E
  {
#pragma omp critical  // @F
    x++;
  }
}

static void cross(int thread) {
  if (thread == 0) {
#pragma omp critical(one)  // @G
    {
#pragma omp critical(two)  // @H
      x++;
    }
  } else {
#pragma omp critical(two)  // @I
    {
#pragma omp critical(one)  // @J
      x++;
    }
  }
}

int main(void) {
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 2; i++) {
#ifdef CROSSED
    cross(i);
#elif defined AGAIN
    again();
#else
    add(i);
#endif
  }
#ifdef FIXED
  assert(x == 2);
#endif
  return 0;
}
