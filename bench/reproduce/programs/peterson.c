/* Peterson's mutual exclusion of two threads, with flags that are volatile and nothing more.
 *
 * The bug: correct under SC only. A wish that is still in the store buffer when the other thread's one is read lets both threads in, and an
 * increment is lost (TSO).
 *
 * Natively: peterson [ROUNDS] lets its threads begin at once, each enters ROUNDS times. It fails now and then on a processor with store
 * buffers and two free cores: with 10 rounds once in a few hundred runs. */
enum { THREADS = 2 };
#include "exclusion.h"

static struct flag wants[2], turn;

static void enter(int me) {
  wants[me].is = 1;
  turn.is = 1 - me;
  while (wants[1 - me].is && turn.is == 1 - me) continue;
}

static void leave(int me) { wants[me].is = 0; }

int main(int argc, char **argv) { return exclusion_main(argc, argv, 2); }
