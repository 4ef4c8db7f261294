/* heddle run --confirm: the program is run, and what its runtime predicts is written down (base/confirm.h). Then it is run again, once for
 * each try: its runtime holds one thread back, so that the predicted order may come about. The reports follow, each with what came of it.
 */
#pragma once
#include <stdint.h>

#include "base/err.h"

struct confirm_limits {
  uint64_t runs;    /* repeated ones, at most */
  double seconds;   /* for all of them */
  uint32_t hold_ms; /* for which a thread is held */
};

/* Runs the file with these words; HEDDLE_OPTIONS is set, but for what this adds. *code is what the first run ended with; if it was ended by
 * a signal, this process ends so and does not return. */
[[nodiscard]] enum err confirm_run(const char *file, char *const *words, const struct confirm_limits *limits, int *code, struct diag *d);
