/* heddle record --machine: the log that a native run would leave of an execution in the machine, under any memory model. */
#pragma once
#include "base/err.h"
#include "cli/options.h"
#include "program/args.h"
#include "trace/path_format.h"

/* Options that are for this alone, without it. */
[[nodiscard]] enum err simulated_check(const struct options *o, struct diag *d);
/* Executions are tried until one fails: its log is written to `log`, and `header` is the log's; `*runs` is its number. If none does,
 * `*runs` is 0, nothing is written, and it was said. `words`: the program, as it was called, and its arguments; `program`: its whole path.
 * `*code`: the exit code that a shell would see. */
[[nodiscard]] enum err simulated_run(const struct options *o, const struct args *words, const char *program, const char *log,
                                     struct path_header *header, uint64_t *runs, int *code, struct diag *d);
