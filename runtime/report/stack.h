/* The calls that led to a place, by their names. */
#pragma once
#include "report/symbol.h"

/* Calls f for every function on the way, the innermost first, inlined ones, too; what starts threads and programs is left out. Names last
 * until f returns. f ends it by returning false. Not at all if the place is not known. */
void stack_each(uint32_t site, bool (*f)(const struct frame_name *, void *), void *data);
/* The name of a file without its folders. */
const char *base_name(const char *path);
