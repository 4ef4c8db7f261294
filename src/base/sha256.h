/* SHA-256 (FIPS 180-4), for files that other tools are to know again. */
#pragma once
#include <stddef.h>

#include "base/text.h"

/* Appends the digest of the bytes as 64 hexadecimal digits. */
void sha256_text(const void *bytes, size_t n, struct text *out);
