/* Lamport's fast mutual exclusion (the second algorithm of "A fast mutual exclusion algorithm", 1987) of N threads: x, y and a flag a
 * thread, four shared variables for two threads, and what the section guards. Correct under SC; broken under TSO and PSO without fences.
 */
#include "exclusion.h"

static atomic_int x, y, busy[N];

static void enter(int me) {
  for (;;) {
    set(&busy[me], 1);
    set(&x, me + 1);
    if (get(&y) != 0) {
      set(&busy[me], 0);
      spin_while(get(&y) != 0);
      continue;
    }
    set(&y, me + 1);
    if (get(&x) == me + 1) return; /* nobody came after: the fast way */
    set(&busy[me], 0);
    for (int i = 0; i < N; i++) spin_while(get(&busy[i]));
    if (get(&y) == me + 1) return;
    spin_while(get(&y) != 0);
  }
}

static void leave(int me) {
  set(&y, 0);
  set(&busy[me], 0);
}
