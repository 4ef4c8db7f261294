/* What commands print: results to standard output, with errors noticed, and complaints to standard error. */
#pragma once
#include <stdbool.h>

#include "base/err.h"

/* Exit codes; heddle(1) and its kin list them. */
enum exit_code { EXIT_SAFE = 0, EXIT_BUG = 1, EXIT_WRONG = 2, EXIT_BOUNDED = 3 };

/* Writes all of it to standard output. ERR_FILE if that fails (a full disk, a closed pipe). */
[[nodiscard]] enum err console_write(const struct text *t, struct diag *d);
/* Prints "heddle: MESSAGE" and the hint, if there is one, in a line of its own. Returns EXIT_WRONG. */
int console_complain(const struct diag *d);
/* The same as a warning. */
void console_warn(const struct diag *d);
/* Writes `t`, releases it and returns `code`, or EXIT_WRONG after a complaint if it cannot be written. */
int console_finish(struct text *t, int code);
