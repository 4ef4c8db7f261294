/* Traces are written as fast as can be, and packed afterwards. */
#pragma once
#include <stdbool.h>

#include "base/err.h"

/* Packs the blocks of the trace file, by zstd; what is between them is left out. A file that is not what it should be stays as it is.
 * `all`: all events stay; else what no analysis looks at is left out, if the run is there as a whole (trace/thin.h). */
[[nodiscard]] enum err pack_trace(const char *path, bool all, struct diag *d);
