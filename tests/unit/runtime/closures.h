/* What orders the events of a trace (orders.h) by the definitions of the weak order (analysis/section.h, analysis/seen.h), as closures over
 * all its events. */
#pragma once
#include "orders.h"

/* a comes before e, and all that comes before it does; e is the newest event. */
void closure_add(bool before[EVENTS][EVENTS], int a, int e);
/* By program order, sections and notifications; and by what was read. */
void closure_make(const struct trace *t, bool before[EVENTS][EVENTS], bool values);

/* Accesses to the same word by different threads, not both of them reads. */
bool trace_conflict(const struct trace *t, int a, int b);
/* Both are made within sections of one lock. */
bool trace_common_lock(const struct trace *t, int a, int b);
/* Each of the two takes a lock that the other one's thread holds then, and would have to wait for it. */
bool trace_crosses(const struct trace *t, int a, int b);
void trace_print(const struct trace *t);
