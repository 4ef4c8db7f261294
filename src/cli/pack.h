/* Traces are written as fast as can be, and packed afterwards. */
#pragma once
#include "base/err.h"

/* Packs the blocks of the trace file, by zstd; what is between them is left out. A file that is not what it should be stays as it is. */
[[nodiscard]] enum err pack_trace(const char *path, struct diag *d);
