/* Szymanski's mutual exclusion of two threads: who has passed the entrance is let in with all that wait there, then the door closes.
 * 1 wants to enter, 2 waits for others in the waiting room, 3 stands in the door, 4 is past it. Correct under SC. */
#include "exclusion.h"

static atomic_int state[2];

static void enter(int me) {
  int other = 1 - me;
  set(&state[me], 1);
  spin_while(get(&state[other]) >= 3);
  set(&state[me], 3);
  if (get(&state[other]) == 1) {
    set(&state[me], 2);
    spin_while(get(&state[other]) != 4);
  }
  set(&state[me], 4);
  if (me == 1) spin_while(get(&state[other]) >= 2);
}

static void leave(int me) {
  int other = 1 - me;
  if (me == 0)
    for (;;) {
      int seen = get(&state[other]);
      if (seen < 2 || seen > 3) break;
    }
  set(&state[me], 0);
}
