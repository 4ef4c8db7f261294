/* The interpreter's second instance: interpret_followed(). It checks for undefined values all the time. */
#define FOLLOWS
#define CHECKS
#include "machine/interpret/follow.h"
/* the first one's source */
#include "machine/interpret/interpret.c"
