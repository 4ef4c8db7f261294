/* heddle check, for other commands. */
#pragma once

struct options;
struct path_log;

/* Explores what the options name, and reports; the exit code. `paths`: of a run that is repeated, only executions are looked at in which
 * each thread goes as it did there, and no data races are told; NULL: all. */
int check_program(const struct options *o, const struct path_log *paths);
