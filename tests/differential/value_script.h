/* Z3 on printed scripts, each in a context of its own: what nothing of src/value's solver is in. */
#pragma once
#include "value/expr.h"
#include "value/solver.h"

/* Opens libz3; ends the program with 2 if it cannot be opened. */
void script_open(void);
/* Can all conditions hold at once? VALUE_UNKNOWN: Z3 gave up within a limit of work of its own. */
enum value_answer script_ask(const struct value_pool *p, const struct expr *conditions, size_t count);
