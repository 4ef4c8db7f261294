/* Violation witnesses: a finding's execution as the verification tools of SV-COMP exchange it, for their validators. The format is YAML
 * (https://gitlab.com/sosy-lab/benchmarking/sv-witnesses): a sequence of segments, each of which ends when its *waypoint* is passed, that
 * is, when the execution has come to the waypoint's place and its constraint holds.
 *
 * What is written is true of the execution that the finding's schedule makes, in this order:
 *   - for each call of __VERIFIER_nondet_*(), a function_return with its value;
 *   - for each thread that is created, a function_enter at the call, which gives the thread the next number (the first thread has 0);
 *   - once there are several threads, an assumption that demands nothing where a thread goes on after another one, and where it stops:
 *     it says that the thread comes to that statement then. That is left out where it would not be true or not be clear: in the midst of
 *     a statement, in the heads of loops, and where the thread has been since its last waypoint;
 *   - at the end the target: the statement that violates the property. A data race has two in one segment.
 *
 * Executions of one thread are written in version 2.0, others in 2.2, the first version that has threads. */
#pragma once
#include <stddef.h>

#include "base/err.h"
#include "base/text.h"

struct image;
struct machine;
struct schedule_file;

/* What the witness is about. Borrowed. */
struct violation_task {
  const char *const *files; /* the program's C sources, as they were named */
  size_t nfiles;
  const char *specification; /* the property, as in its file */
  const char *version;       /* Heddle's */
};

/* Runs the schedule, which shows its finding, and appends the witness. ERR_UNSUPPORTED: the format has no way to say this, `d` says why;
 * ERR_FILE: a source cannot be read; and what running the schedule may give. */
[[nodiscard]] enum err violation_text(struct machine *m, const struct image *image, const struct schedule_file *schedule,
                                      const struct violation_task *task, struct text *out, struct diag *d);
