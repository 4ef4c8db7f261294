/* A trace file in words: what it is of, what is missing, how many events of which kind, and the events in their order. */
#pragma once
#include "base/err.h"

[[nodiscard]] enum err show_trace(const char *path, struct text *out, struct diag *d);
