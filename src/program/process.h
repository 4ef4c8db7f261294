/* Running the programs that Heddle needs: clang and heddle-load. */
#pragma once
#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

struct args;

/* What becomes of the child's standard error. */
enum process_errors { PROCESS_ERRORS_INHERIT, PROCESS_ERRORS_KEEP, PROCESS_ERRORS_SHOW /* forwarded as it comes, and kept */ };

/* Appends the path of the file that execvp() would run by that name. False if there is none. */
bool process_find(const char *name, struct text *path);
/* Starts `args` (looked up in PATH) with these descriptors as standard input, output and error (-1: ours). Returns the process id, or -1
 * with errno set. */
pid_t process_start(struct args *args, int in, int out, int errors);
/* Waits for it; returns the status of waitpid(). */
int process_wait(pid_t pid);
/* The exit code a shell would report for a wait status. */
int process_exit_code(int status);
/* Runs `args` to its end. ERR_TOOL if it cannot be started, ERR_INTERRUPTED after Ctrl-C; how it ended is in `*status`. Standard error is
 * treated as `mode` says and appended to `errors` unless inherited. */
[[nodiscard]] enum err process_run(struct args *args, enum process_errors mode, struct text *errors, int *status, struct diag *d);
