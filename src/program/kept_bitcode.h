/* Bitcode as the cache keeps it: in the wrapper that LLVM has for it, a header that its readers skip, with a checksum in it.
 * A changed byte of bitcode is another program, or crashes its reader. */
#pragma once
#include <stdbool.h>

#include "base/err.h"

/* Appends the bitcode, wrapped. */
void kept_bitcode_write(const struct text *bitcode, struct text *out);
/* Is the file what kept_bitcode_write() made? */
bool kept_bitcode_is_whole(const char *path);
