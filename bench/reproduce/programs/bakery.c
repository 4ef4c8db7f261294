/* Lamport's bakery: mutual exclusion of four threads, with flags that are volatile and nothing more.
 *
 * The bug: correct under SC only. A number that is still in the store buffer when the others' are read lets two threads in, and an
 * increment is lost (TSO).
 *
 * Natively: bakery [ROUNDS] lets its threads begin at once, each enters ROUNDS times. It fails now and then on a processor with store
 * buffers and two free cores: with 1 round once in ten thousand runs, with 10 in a few hundred. */
enum { THREADS = 4 };
#include "exclusion.h"

static struct flag choosing[THREADS], number[THREADS];

static void enter(int me) {
  int most = 0;
  choosing[me].is = 1;
  for (int i = 0; i < THREADS; i++) {
    int n = number[i].is;
    if (n > most) most = n;
  }
  number[me].is = most + 1;
  choosing[me].is = 0;
  for (int i = 0; i < THREADS; i++) {
    while (choosing[i].is) sched_yield();
    for (int n; (n = number[i].is) != 0 && (n < number[me].is || (n == number[me].is && i < me));) sched_yield();
  }
}

static void leave(int me) { number[me].is = 0; }

int main(int argc, char **argv) { return exclusion_main(argc, argv, 1); }
