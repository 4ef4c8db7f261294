/* Lines of source files, read once, for reports. A file that cannot be read has no lines: reports then show places only. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vec.h"

struct source_file {
  struct text path, content;
  VEC(uint32_t) starts; /* offset of each line in content */
};

/* Zeroed is empty. */
struct sources {
  VEC(struct source_file) files;
};

/* Appends line `line` (from 1) of the file without leading blanks, tabs as single blanks and control characters as "?". Appends
 * nothing if there is no such line. */
void sources_line(struct sources *s, const char *path, uint32_t line, struct text *out);
/* The same, with its indentation. */
void sources_line_indented(struct sources *s, const char *path, uint32_t line, struct text *out);
/* Number of lines of the file; 0 if it cannot be read. */
uint32_t sources_count(struct sources *s, const char *path);
void sources_release(struct sources *s);
