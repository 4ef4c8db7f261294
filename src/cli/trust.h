/* What a schedule file asks for beyond showing an execution: options of the compiler that could run or write something, and functions of
 * the host. People open schedules of others, so `heddle replay` refuses such a file unless they say --trust.
 *
 * A file needs no trust for what people commonly build with: macros, headers below its own folder or the current one, the language's
 * standard, optimisation, warnings, debug information and the code options of a list (trust.c). Whatever is not listed counts as harmful:
 * clang has a thousand options, and its next version has more. */
#pragma once
#include <stdbool.h>

#include "base/text.h"

struct schedule_file;

/* Does the file that is, or will be, at `path` need trust? */
bool trust_is_needed(const struct schedule_file *f, const char *path);
/* Appends what the file at `path` needs trust for, "flag -fplugin=./x.so, allow system"; nothing if it needs none. */
void trust_demands(const struct schedule_file *f, const char *path, struct text *demands);
