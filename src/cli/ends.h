/* How a native run ends by what the machine calls a failure, and the other way round. */
#pragma once
#include <stdbool.h>

#include "trace/finding.h"
#include "trace/path_format.h"

/* The kinds of failures that can have ended such a run, with commas; NULL: none can. Memory that was misused may show later natively, and
 * otherwise than where it happened. */
const char *ends_kinds(const struct path_header *h);
/* All kinds that end a run. */
#define ENDS_ALL                                                                                                        \
  "assertion,abort,uncaught-exception,deadlock,lost-wakeup,livelock,use-after-free,out-of-bounds,double-free,bad-free," \
  "null-dereference,uninitialised,division-by-zero,thread-misuse,exit-code"
/* Says how a run ends by such a failure: `end` and `code`, which is `exit_code` if it ends by that. */
void ends_by(struct path_header *h, enum finding_kind kind, int exit_code);
