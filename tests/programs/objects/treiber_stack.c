// Treiber's stack with nodes that are used again: a pop that has read the top and what is below it is overtaken by two pops and a push of the
// same node, and puts a node on the stack that is free (ABA). A count beside the pointer keeps it from that.
// verdict: BUG
// options: --linearizable --operations=3 --arguments=1
// finding: not-linearizable
// case: counted -DFIXED
// options: --linearizable --operations=3 --arguments=1
// verdict: SAFE
#include <heddle.h>
#include <stdatomic.h>

enum { NODES = 8, END = 255 };
#ifdef FIXED
#define COUNTED(top, next) (((top) & ~255u) + 256 + (next))
#else
#define COUNTED(top, next) (next)
#endif
static atomic_int value[NODES], next[NODES], in_use[NODES];
static atomic_uint top; // node, and above it a count

static int take_node(void) {
  for (int i = 0; i < NODES; i++)
    if (!atomic_exchange(&in_use[i], 1)) return i;
  hd_assert(0);
  return 0;
}

static int push(int x) {
  int n = take_node();
  value[n] = x;
  unsigned old = top;
  do next[n] = (int)(old & 255);
  while (!atomic_compare_exchange_strong(&top, &old, COUNTED(old, (unsigned)n)));
  return 0;
}

static int pop(void) {
  unsigned old = top;
  for (;;) {
    unsigned n = old & 255;
    if (n == END) return -1;
    int below = next[n];
    if (atomic_compare_exchange_strong(&top, &old, COUNTED(old, (unsigned)below))) {
      int x = value[n];
      in_use[n] = 0;
      return x;
    }
  }
}

HD_BEGIN(void) {
  for (int i = 0; i < 2; i++) in_use[i] = 1, value[i] = 10 + i, next[i] = i ? END : 1;
  top = 0;
}
HD_OPERATION(push, int x) { return push(x); }
HD_OPERATION(pop) { return pop(); }
HD_STATE {
  unsigned long state = 0;
  unsigned depth = 0;
  for (unsigned n = top & 255; n != END && depth <= NODES; n = (unsigned)next[n], depth++) state = hd_hash(state, (unsigned long)value[n]);
  return state;
}
