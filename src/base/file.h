/* Whole files: read at once, written whole or not at all. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Reads `path` completely into `out` (appended). ERR_FILE if it cannot. */
[[nodiscard]] enum err file_read(const char *path, struct text *out, struct diag *d);
/* The same of a descriptor that can seek, from the file's beginning; its position stays. False, and errno, if it cannot. */
[[nodiscard]] bool file_read_from(int fd, struct text *out);
/* The descriptor of a file of that name in memory, at its beginning, for processes that are started: it stays open in them. -1, and errno,
 * if there is no memory. */
[[nodiscard]] int file_in_memory(const char *name, const void *bytes, size_t n);
/* Writes through a temporary file in the same folder, synced and renamed; on any failure nothing is left. */
[[nodiscard]] enum err file_write(const char *path, const void *bytes, size_t n, struct diag *d);
