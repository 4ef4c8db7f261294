/* heddle reproduce: an order of all steps of a recorded run, by constraints (reproduce/formula.h). */
#pragma once
#include "base/err.h"
#include "strategy/planned.h"

struct options;
struct path_log;

/* Writes the formula to `path` as an SMT-LIB 2 script (formula_script()), and says so. */
[[nodiscard]] enum err plan_script(const struct options *o, const struct path_log *log, const char *path, struct diag *d);
/* ERR_USAGE: options that say how an order is looked for are wrong. */
[[nodiscard]] enum err plan_check(const struct options *o, struct diag *d);
/* Executes the threads of the run apart, and solves for an order, until the deadline that the caller has set (base/deadline.h).
 * ERR_UNSUPPORTED: there is none, or it was not found, and why. `plan` is the caller's to release, whatever comes of it. */
[[nodiscard]] enum err plan_find(const struct options *o, const struct path_log *log, struct plan *plan, struct diag *d);
