/* The calls that led to a place, by their names. */
#pragma once
#include "report/symbol.h"

/* Calls f for every function on the way, the innermost first, inlined ones, too; what starts threads and programs is left out. If it was a
 * function of the C library that the program called there, it comes first of all, as one of the runtime's. Names last until f returns. f
 * ends it by returning false. Not at all if the place is not known, or is one of several functions'. */
void stack_each(uint32_t site, bool (*f)(const struct frame_name *, void *), void *data);
/* Calls f for each of those that such a place is one of (SITE_AMONG). */
void stack_among(uint32_t site, void (*f)(uint32_t, void *), void *data);
/* True if that return address is in what starts threads and programs. */
bool stack_ends(uintptr_t pc);
