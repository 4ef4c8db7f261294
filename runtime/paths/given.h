/* What the program is given that no branch tells of: files that it opens, variables that it asks for. Each is kept once, as it was when the
 * program named it for the first time; what the program itself does to it later is repeated where the run is.
 *
 * Nothing waits here for anything: calls may come from handlers of signals, from any thread, and before the first constructor. Memory
 * is taken from nobody. What cannot be kept is left out, and the log says so. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "trace/path_format.h"

/* Is this name of that kind new, and to be kept? It is not new any more. */
bool given_claim(enum path_piece_kind kind, const char *name) __attribute__((visibility("hidden")));
/* Keeps all bytes of the file that is open as `fd`, whose position stays, under that name; of fd -1: none. */
void given_file(const char *name, int fd) __attribute__((visibility("hidden")));
/* Says why it is not kept. */
void given_unkept(const char *name, enum path_kept why) __attribute__((visibility("hidden")));
/* Does the text lie in what the process began with? */
bool given_is_first(const char *text) __attribute__((visibility("hidden")));
/* "NAME=VALUE". */
void given_variable(const char *text) __attribute__((visibility("hidden")));
