/* `heddle show PROGRAM`: what a program built with `heddle cc` carries. */
#pragma once
#include "base/err.h"

/* Appends a description of the ELF file: its modules with source, size and flags, the link line, what lacks bitcode. ERR_UNSUPPORTED if
 * it carries no bitcode at all, with a hint; ERR_FILE and ERR_FORMAT as usual. */
[[nodiscard]] enum err program_show(const char *path, struct text *out, struct diag *d);
