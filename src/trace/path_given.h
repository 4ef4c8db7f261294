/* The pieces of a log of control flow: what the run was given. A part of path_log_read(). */
#pragma once
#include "trace/path_log.h"

/* ERR_FORMAT: it is not what heddle record writes. */
[[nodiscard]] enum err path_log_wrong(const char *path, const char *what, struct diag *d);
/* Fills log->given from all of the log's bytes, in which there are as many chunks as its header says. Items that the run's end has cut are
 * left out. */
[[nodiscard]] enum err path_given_read(struct path_log *log, const char *path, const struct text *bytes, struct diag *d);
