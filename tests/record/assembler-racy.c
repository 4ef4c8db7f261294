/* predicts: data-race 1
 * unexplained: 10
 * The race may come in the run itself: the write of an item is in the trace by then, and its reader has got the value before. */
#define RACY
#include "assembler.c"
