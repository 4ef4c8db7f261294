/* Which lines of a program's own source were executed, by any execution of an exploration, in the format of lcov's tracefiles (geninfo(1)),
 * which genhtml and others read:
 *
 *   SF:/home/me/bank.c
 *   FN:12,deposit
 *   FNDA:1,deposit
 *   DA:13,1          executed
 *   DA:15,0          not
 *   end_of_record
 *
 * Counts are 1 and 0: how often says nothing where executions stand for others. Lines are those that have code when the program is
 * compiled as it is checked. System headers and library models are left out. */
#pragma once
#include <stdint.h>

#include "base/err.h"

struct machine;

struct coverage_counts {
  uint32_t lines, lines_hit, functions, functions_hit;
};

/* The image of `m` must have been opened for it (program_inputs.coverage). ERR_FILE: the file cannot be written. */
[[nodiscard]] enum err coverage_write(const struct machine *m, const char *path, struct coverage_counts *counts, struct diag *d);
