/* Peterson's mutual exclusion of two threads: three shared variables and what the section guards. Correct under SC; broken under TSO
 * and PSO without fences. */
#include "exclusion.h"

static atomic_int wants[2], turn;

static void enter(int me) {
  int other = 1 - me;
  set(&wants[me], 1);
  set(&turn, other);
  spin_while(get(&wants[other]) && get(&turn) == other);
}

static void leave(int me) { set(&wants[me], 0); }
