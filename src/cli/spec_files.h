/* The specifications of the files that --spec names (heddle-spec(5)). */
#pragma once
#include "base/spec.h"
#include "cli/options.h"
#include "program/args.h"
#include "program/image.h"

struct spec_files {
  struct spec spec;
  struct args texts;                /* that it points into */
  VEC(uint16_t) methods, functions; /* by file: how many there were before it */
};

/* NULL, if no files are named or on an error: ERR_FILE, or ERR_FORMAT with a message that begins with file, line and column. */
[[nodiscard]] enum err spec_files_read(struct spec_files **f, const struct words *paths, struct diag *d);
/* NULL is nothing. */
void spec_files_free(struct spec_files *f);
/* Appends the functions that the machine is told of: methods, and those that formulas call. */
void spec_files_calls(const struct spec_files *f, struct text *out);
/* The program has all of them; else ERR_UNSUPPORTED, with file, line and column of the first one that it has not. */
[[nodiscard]] enum err spec_files_check(const struct spec_files *f, const struct words *paths, const struct image *image, struct diag *d);
