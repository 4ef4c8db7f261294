/* Lamport's bakery of N threads, 2N shared variables and what the section guards: who draws the smaller number goes first. Correct under
 * SC; broken under TSO and PSO without fences. */
#include "exclusion.h"

static atomic_int choosing[N], number[N];

static void enter(int me) {
  set(&choosing[me], 1);
  int largest = 0;
  for (int i = 0; i < N; i++) {
    int drawn = get(&number[i]);
    if (drawn > largest) largest = drawn;
  }
  int mine = largest + 1;
  set(&number[me], mine);
  set(&choosing[me], 0);
  for (int i = 0; i < N; i++) {
    if (i == me) continue;
    spin_while(get(&choosing[i]));
    for (;;) {
      int drawn = get(&number[i]);
      if (drawn == 0 || drawn > mine || (drawn == mine && i > me)) break;
    }
  }
}

static void leave(int me) { set(&number[me], 0); }
