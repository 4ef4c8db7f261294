/* The interpreter's third instance: interpret_checked(). */
#define CHECKS
#include "machine/interpret/undefined.h"
/* the first one's source */
#include "machine/interpret/interpret.c"
