/* Which build of a program a trace is of: a sum over the program's file, so that what says nothing of itself can be told apart, too. */
#pragma once
#include <stdbool.h>

struct text;
struct trace_file;

/* Appends the sum of the file in hexadecimal digits. False if it cannot be read. */
[[nodiscard]] bool trace_build_of(const char *path, struct text *out);
/* The file is there, and its sum is not that one; "": it is not known, so false. */
bool trace_build_differs(const char *path, const char *build);
/* The program is there, but it is another build than that of the trace. */
bool trace_build_is_other(const struct trace_file *f);
