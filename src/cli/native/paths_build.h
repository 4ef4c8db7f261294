/* What heddle record and heddle reproduce agree upon, besides the log (trace/path_format.h). */
#pragma once
#include <stdint.h>

#include "base/err.h"

/* The variable of the environment by which a woven program finds its log (runtime/paths/paths.h). */
#define PATHS_VARIABLE "HEDDLE_PATHS"

/* Which build of a woven program it is: a hash of its file. */
[[nodiscard]] enum err paths_build(const char *path, uint64_t *build, struct diag *d);
