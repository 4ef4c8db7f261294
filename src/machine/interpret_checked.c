/* The interpreter's third instance: interpret_checked(). */
#define CHECKS
#include "machine/undefined.h"
/* the first one's source */
#include "machine/interpret.c"
