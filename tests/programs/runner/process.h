/* Running a command and catching what it says. */
#pragma once
#include <stddef.h>

struct process_result {
  int code;        /* exit code */
  int signal;      /* what killed it, or 0 */
  char *out, *err; /* NUL-terminated; owned */
  size_t nout, nerr;
};

/* Runs argv (found along PATH) with standard input from the file `input` (NULL: empty) for at most `seconds`. */
struct process_result process_run(char *const *argv, const char *input, unsigned seconds);
void process_release(struct process_result *r);
