// Locals that become registers, and what is computed from them: nothing is wrong until something is decided by them. Each case at all levels
// of optimisation that compilers have, because none of them may hide it.
// cflags: -DCASE=1
// verdict: BUG
// finding: uninitialised A
// case: branch-O1 -DCASE=1 -O1
// verdict: BUG
// finding: uninitialised A
// case: branch-O2 -DCASE=1 -O2
// verdict: BUG
// finding: uninitialised A
// case: branch-fixed -DCASE=1 -DFIXED
// verdict: SAFE
// case: one-value -DCASE=2
// verdict: BUG
// finding: uninitialised B
// case: one-value-O2 -DCASE=2 -O2
// verdict: BUG
// finding: uninitialised B
// case: one-value-fixed -DCASE=2 -DFIXED
// verdict: SAFE
// case: computed -DCASE=3
// verdict: BUG
// finding: uninitialised C
// case: computed-fixed -DCASE=3 -DFIXED
// verdict: SAFE
// case: address -DCASE=4
// verdict: BUG
// finding: uninitialised D
// case: divisor -DCASE=5
// verdict: BUG
// finding: uninitialised E
// case: switch -DCASE=6
// verdict: BUG
// finding: uninitialised F
// case: member -DCASE=7
// verdict: BUG
// finding: uninitialised G
// case: status -DCASE=8
// verdict: BUG
// finding: uninitialised H
#include <stdlib.h>

static int shared;

/* Of a local that is only ever given one constant, LLVM takes that constant for granted. */
static int one_value(int given) {
  int y;
#ifdef FIXED
  y = 4;
#endif
  if (given) y = 5;
  return y;
}

static int identity(int x) { return x; }

int main(int argc, char **argv) {
  (void)argv;
  int y;
#ifdef FIXED
  y = argc;
#endif
#if CASE == 1
  if (y == 1) shared = y; /* @A */
#elif CASE == 2
  if (one_value(argc > 1) == 5) shared = 1; /* @B */
#elif CASE == 3
  int *copy = malloc(sizeof *copy);
  if (!copy) return 0;
  *copy = identity(y) * 2 + 1;
  int other = *copy;
  free(copy);
  if (other > 7) shared = 1; /* @C */
#elif CASE == 4
  int values[4] = {1, 2, 3, 4};
  shared = values[y & 3]; /* @D */
#elif CASE == 5
  shared = argc / y; /* @E */
#elif CASE == 6
  switch (y) { /* @F */
    case 1:
      shared = 1;
      break;
    case 2:
      shared = 7;
      break;
    default:
      break;
  }
#elif CASE == 7
  struct {
    int a, b;
  } pair;
  pair.a = argc;
  if (pair.a == pair.b) shared = 1; /* @G */
#elif CASE == 8
  return y; /* @H */
#endif
  return 0;
}
