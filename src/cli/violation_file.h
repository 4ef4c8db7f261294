/* --witness=FILE: what violates a property of SV-COMP, for other tools (report/violation.h). */
#pragma once
#include <stdbool.h>

#include "base/err.h"

struct competition;
struct options;
struct report;

/* ERR_USAGE: a witness is asked for that cannot be. */
[[nodiscard]] enum err violation_file_check(const struct options *o, const struct competition *c, struct diag *d);
/* Writes the file if it is asked for and the report's result is "false"; adds a note to the report if it is not written. False: it could
 * not be, the complaint has been made. */
[[nodiscard]] bool violation_file_write(const struct options *o, const struct competition *c, struct report *r);
