/* heddle replay --gdb, --gdb-server: an execution in gdb. */
#pragma once
#include "cli/options.h"
#include "cli/session.h"

struct report_finding;

/* The session was opened with `debug`. Returns the exit code: gdb's, or that of a schedule that shows its finding. */
int debugger_run(const struct session *s, const struct report_finding *finding, const struct options *o);
