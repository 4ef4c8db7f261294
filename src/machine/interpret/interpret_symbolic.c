/* The interpreter's instance for programs with symbolic data: interpret_symbolic(). It checks for undefined values all the time. */
#define SYMBOLIC
#define CHECKS
#include "machine/symbolic/symbolic.h"
/* the first one's source */
#include "machine/interpret/interpret.c"
