/* Whole files: read at once, written whole or not at all.
 *
 * A name may come from a file of somebody else, and behind any name may be a device without an end, a pipe that nobody writes to, or 10 GB.
 * So there is one way to open what is read, and it ends at once: folders, devices, pipes and files that are too large are ERR_FILE with a
 * message that says what is there. /dev/null is an empty file. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* What a file is read as. X(name, bytes it may have, may it be a stream: a pipe, a terminal, a device?)
 * Text is what people and Heddle write: sources, schedules, specifications. Input is what a program reads; its user may pipe it. */
#define FILE_KIND_LIST(X)           \
  X(TEXT, 256ull << 20, false)      \
  X(PROGRAM, 2048ull << 20, false)  \
  X(CAMPAIGN, 4096ull << 20, false) \
  X(TRACE, 1ull << 44, false)       \
  X(INPUT, 256ull << 20, true)

enum file_kind {
#define X(name, most, stream) FILE_##name,
  FILE_KIND_LIST(X)
#undef X
};

/* Makes a folder that only this user can look into, in $TMPDIR or /tmp, and appends its path; `what` is part of its name. ERR_FILE. */
[[nodiscard]] enum err file_make_folder(const char *what, struct text *path, struct diag *d);
/* What is behind the path's last slash. */
const char *file_last_part(const char *path);
/* ERR_FILE if a file of that kind cannot be read from `path`, as far as can be told without reading it. */
[[nodiscard]] enum err file_check(const char *path, enum file_kind kind, struct diag *d);
/* Opens it; `*size` is its size, 0 of what has none. The descriptor is the caller's. */
[[nodiscard]] enum err file_open(const char *path, enum file_kind kind, int *fd, size_t *size, struct diag *d);
/* Reads `path` completely into `out` (appended). ERR_FILE if it cannot, or if there is more than the kind may have. */
[[nodiscard]] enum err file_read(const char *path, enum file_kind kind, struct text *out, struct diag *d);
/* Reads the first `n` bytes to `to`, and sets `*got`: fewer, if the file is shorter. */
[[nodiscard]] enum err file_start(const char *path, enum file_kind kind, char *to, size_t n, size_t *got, struct diag *d);
/* The same of a descriptor that can seek, from the file's beginning; its position stays. False, and errno, if it cannot. */
[[nodiscard]] bool file_read_from(int fd, struct text *out);
/* The descriptor of a file of that name in memory, at its beginning, for processes that are started: it stays open in them. -1, and errno,
 * if there is no memory. */
[[nodiscard]] int file_in_memory(const char *name, const void *bytes, size_t n);
/* Writes through a temporary file in the same folder, synced and renamed; on any failure nothing is left. */
[[nodiscard]] enum err file_write(const char *path, const void *bytes, size_t n, struct diag *d);
