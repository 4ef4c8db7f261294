# OpenMP: the environment's variables are the program's, a schedule keeps them, and objects of heddle cc have the directives in their bitcode.
. "$(dirname "$0")/lib.sh"
cat >team.c <<'END'
#include <assert.h>
#include <omp.h>
static int kept;
#pragma omp threadprivate(kept)
int main(void) {
  int threads = 0;
#pragma omp parallel
  {
#pragma omp atomic
    threads++;
    kept++;
  }
#pragma omp parallel
  assert(kept == 1);
  assert(threads < 3);
  return 0;
}
END
run check --no-schedule -fopenmp team.c
expect_code 0
expect_in out "OpenMP's teams had 2 threads where nobody says how many (OMP_NUM_THREADS does): at team.c:7:1"
OMP_NUM_THREADS=3 run check -o three.hds -fopenmp team.c
expect_code 1
expect_in out "assertion \`threads < 3' failed"
expect_in three.hds "environment OMP_NUM_THREADS=3"
run replay three.hds
expect_code 1
expect_in out "assertion \`threads < 3' failed"
OMP_NUM_THREADS=3 run check --no-schedule --env=OMP_NUM_THREADS=2 -fopenmp team.c
expect_code 0
run check --no-schedule --env=OMP_NUM_THREADS -fopenmp team.c
expect_code 2
expect_in err '"OMP_NUM_THREADS" is no variable of an environment: NAME=VALUE'

run cc -fopenmp -c team.c -o team.o
expect_code 0
run check --no-schedule team.o
expect_code 0
expect_in out "team.c:7:1"
