/* The interpreter's second instance: interpret_followed(). */
#define FOLLOWS
#include "machine/follow.h"
/* the first one's source */
#include "machine/interpret.c"
