/* heddle predict --explain=PAIR: why two places are no race, or that they are one. */
#pragma once
#include <stdbool.h>

#include "base/err.h"

struct options;
struct text;

/* Appends the report, and sets the exit code. ERR_USAGE if the pair is none. */
[[nodiscard]] enum err explain_pair(const struct options *o, bool json, struct text *out, int *code, struct diag *d);
