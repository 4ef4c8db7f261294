/* The runtime's own functions in stacks: what the program called, as it is written in the program's code. */
#pragma once
#include "context.h"
#include "report/symbol.h"

/* "free": the function of the C library by which the program did what was done at that place, if it was one, and can be told. The names
 * last until symbol.h is asked again. */
bool call_of(uint32_t site, struct frame_name *name);
/* Its address; 0 if there is none. */
uintptr_t call_target(uint32_t site);
/* The report is made: what they keep open for the next one's sake is closed. Between them, only one thread may come here. */
void calls_done(void);
