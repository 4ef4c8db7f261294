/* Dekker's mutual exclusion of two threads: three shared variables and what the section guards. Correct under SC; a store that is still
 * in its buffer when the other thread's wish is read breaks it under TSO and PSO. */
#include "exclusion.h"

static atomic_int wants[2], turn;

static void enter(int me) {
  int other = 1 - me;
  set(&wants[me], 1);
  while (get(&wants[other])) {
    if (get(&turn) == me) continue;
    set(&wants[me], 0);
    spin_while(get(&turn) != me);
    set(&wants[me], 1);
  }
}

static void leave(int me) {
  set(&turn, 1 - me);
  set(&wants[me], 0);
}
