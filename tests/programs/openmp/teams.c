// A league of teams: what it distributes is done once; threads of its team race as others do.
// cflags: -fopenmp -DREDUCTION=reduction(+:sum)
// verdict: SAFE
// case: race -fopenmp -DREDUCTION=
// verdict: BUG
// finding: data-race A
// finding?: assertion
#include <assert.h>
#include <omp.h>

#define PRAGMA(x) _Pragma(#x)
#define LOOP(x)   PRAGMA(x)

int main(void) {
  int sum = 0, leagues = 0;
  LOOP(omp teams distribute parallel for REDUCTION)
  for (int i = 1; i < 4; i++) sum += i;  // @A
  assert(sum == 6);
#pragma omp teams num_teams(2) shared(leagues)
  leagues += omp_get_num_teams();
  assert(leagues == 1);
  return 0;
}
