/* Lines of suppression files, in ThreadSanitizer's format: TYPE:PATTERN; # begins a comment. A pattern is looked for anywhere in the names
 * of functions, files and modules; * stands for any text, ^ and $ for the name's begin and end. Used in tools and in the runtime: nothing
 * is allocated or called. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* What there is to say about a line. */
enum suppress_line { SUPPRESS_NOTHING /* a comment, or empty */, SUPPRESS_RULE, SUPPRESS_NO_RULE /* not TYPE:PATTERN */, SUPPRESS_NO_TYPE };

/* Parts of the line, not terminated; of SUPPRESS_NO_RULE `type` is all of it, without spaces around it. */
struct suppress_parts {
  const char *type, *pattern;
  size_t type_length, pattern_length;
};

/* The line [at, end). */
enum suppress_line suppress_parse(const char *at, const char *end, struct suppress_parts *parts);
/* The types that there are, in one sentence's words. */
#define SUPPRESS_TYPES "race, race_top, deadlock, thread, mutex, signal and called_from_lib"

/* True if the name is one that the pattern means. */
bool suppress_matches(const char *pattern, const char *name);
