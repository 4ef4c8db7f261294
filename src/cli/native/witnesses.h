/* Witness files of what `heddle predict` found. */
#pragma once
#include "cli/options.h"
#include "report/predicted.h"
#include "trace/recorded.h"

/* Writes one for each finding that has a witness, as far as a program was recorded; with --confirm, also carries them out. What came of it
 * is in the findings. `stream`: of the trace; `open` begins it anew, and closes it. Errors are those of reading the trace and of building
 * the program. */
[[nodiscard]] enum err witnesses_make(struct predicted_report *r, const struct options *o, const struct recorded_stream *stream,
                                      struct recorded_stream *(*open)(void *data), void *data, struct diag *d);
