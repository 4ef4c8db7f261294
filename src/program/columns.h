/* LLVM's bitcode by columns, for compressors.
 *
 * Bitcode is a stream of bits: a field of 6 bits, then one of 17, as each kind of record defines it. A compressor that looks for equal
 * bytes finds few, though most records are much like the one before. So the fields are sorted into columns: all first operands of `load` in
 * one, all second ones in another, a byte or more for each. zstd makes half as much of that as of the bitcode.
 *
 * What comes back is the same to the last bit. The stream's shape alone is understood (blocks, abbreviations, records: "LLVM Bitcode File
 * Format", Bitstream Format), not what the records mean; so it serves all versions of LLVM. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Appends the columns of `n` bytes of bitcode. False, with nothing appended, if they are none that columns_join() would bring back. */
[[nodiscard]] bool columns_split(const uint8_t *bitcode, size_t n, struct text *columns);
/* Appends the `nbitcode` bytes that the columns are of. False, with nothing appended, if they are damaged. */
[[nodiscard]] bool columns_join(const uint8_t *columns, size_t n, size_t nbitcode, struct text *bitcode);
