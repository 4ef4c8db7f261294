/* A trace file in words: what it is of, what is missing, how many events of which kind, and the events in their order. */
#pragma once
#include <stdbool.h>

#include "base/err.h"

[[nodiscard]] enum err show_trace(const char *path, struct text *out, struct diag *d);
/* Which rules of recorded runs (trace/check.h) the trace breaks: of each how often, and the first event. `*broken`: it does. */
[[nodiscard]] enum err check_trace(const char *path, struct text *out, bool *broken, struct diag *d);
