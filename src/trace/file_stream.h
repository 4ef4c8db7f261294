/* A trace file as a stream of events in one order. */
#pragma once
#include "trace/file.h"
#include "trace/merge.h"
#include "trace/recorded.h"

/* Takes `fd` over, also when it fails. */
[[nodiscard]] enum err file_stream_open(const char *path, int fd, uint64_t size, struct recorded_stream **s, struct diag *d);
/* The file that the stream reads; NULL if it reads something else. */
const struct trace_file *file_stream_file(const struct recorded_stream *s);
/* What could not be put in order, of the events so far; zeros if it reads something else. */
struct merge_faults file_stream_faults(const struct recorded_stream *s);
