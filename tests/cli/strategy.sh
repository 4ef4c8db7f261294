# Which strategy explores if none is asked for, and what those that are asked for cannot do.
. "$(dirname "$0")/lib.sh"

cat >two.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *add(void *of) {
  atomic_fetch_add((atomic_int *)of, 1);
  atomic_fetch_add(&y, 1);
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, add, &x);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
END

uses() { # STRATEGY OPTION..: SAFE by that strategy
  strategy=$1
  shift
  run check --no-schedule "$@" two.c
  expect_code 0
  expect_in out "strategy $strategy"
}
uses maximal
uses maximal --memory=pso
uses maximal --predict --executions=1000
uses maximal -j 2
uses dpor --campaign=kept
uses dpor --strategy=dpor
run check --bound=0 two.c
expect_code 3
expect_in out "strategy dpor"

# The report says what became of the executions that are not counted as such.
run check two.c
expect_in out "  1 execution, 3 more given up (led to a state already explored), "
run check --strategy=dpor two.c
expect_in out "  4 executions, "
expect_not_in out "given up"
run check --strategy=unfolding two.c
expect_in out "  4 executions, "
expect_not_in out "given up"

for strategy in maximal random naive mcr; do
  run check --strategy=$strategy --bound=1 two.c
  expect_complaint "--bound: the strategy $strategy knows no bound on preemptions"
  expect_in err "dpor and icb do"
done
run check --strategy=maximal --dependency=all two.c
expect_complaint "--dependency is for the strategies mcr-s and mcr-s+"
done_testing
