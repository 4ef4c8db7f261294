/* heddle replay --step: an execution by hand, forwards and backwards. Commands come from standard input, a terminal or a pipe. */
#pragma once
#include <stdbool.h>

struct image;
struct machine;
struct report_finding;

/* Returns the exit code: that of a replay, or EXIT_WRONG if the schedule does not fit. */
int stepper_run(struct machine *m, const struct image *image, const struct report_finding *finding, bool no_color);
