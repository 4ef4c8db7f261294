/* Whole files: read at once, written whole or not at all. */
#pragma once
#include <stddef.h>

#include "base/err.h"

/* Reads `path` completely into `out` (appended). ERR_FILE if it cannot. */
[[nodiscard]] enum err file_read(const char *path, struct text *out, struct diag *d);
/* Writes through a temporary file in the same folder, synced and renamed; on any failure nothing is left. */
[[nodiscard]] enum err file_write(const char *path, const void *bytes, size_t n, struct diag *d);
