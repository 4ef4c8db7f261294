/* What `heddle cc` puts into objects and programs: records, one after the other, in sections whose names start with ".heddle".
 *
 * An object file has one record for each source compiled into it; the linker lays the sections of its inputs one behind the other (with
 * zeros between for alignment), so a linked file has the records of all of them. Each record says how long it is and carries a hash of
 * itself. `strip` removes the sections, nothing else does. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define EMBED_SECTION_PREFIX ".heddle"
#define EMBED_OBJECT_SECTION ".heddle.bc"   /* added to objects */
#define EMBED_LINK_SECTION   ".heddle.link" /* added to linked files: link line, and sources compiled on the way */

enum embed_kind {
  EMBED_MODULE = 1, /* bitcode of a source */
  EMBED_ASSEMBLER,  /* an assembler source: no bitcode */
  EMBED_FAILED,     /* a source that compiled natively but not to bitcode; `note` says why */
  EMBED_LINK,       /* a link line: `name` is the output, `note` the inputs known to lack bitcode, one a line */
  EMBED_KINDS
};

struct embed_record {
  enum embed_kind kind;
  const char *name;   /* of the source, as given */
  const char *folder; /* where the compiler ran */
  const char *flags;  /* arguments, each NUL-terminated, `nflags` bytes together */
  size_t nflags;
  const char *note;
  uint32_t position;     /* of a source compiled while linking: how many records of object files stand before it on the link line */
  const uint8_t *packed; /* zstd */
  bool by_columns;       /* of the bitcode's columns (columns.h) */
  size_t npacked, nraw;
};

/* Appends the record; its bitcode is `raw`, which is compressed here (`packed` and what stands behind it in `r` do not count). */
void embed_write(const struct embed_record *r, const void *raw, size_t nraw, struct text *out);
/* Reads the record at or behind `*at` (zeros are skipped) of the section's bytes and moves `*at` behind it. `*found` is false at the end.
 * ERR_FORMAT, naming `path`, for anything else. The record points into `bytes`. */
[[nodiscard]] enum err embed_next(const char *path, const uint8_t *bytes, size_t n, size_t *at, struct embed_record *r, bool *found,
                                  struct diag *d);
/* Appends the record's bitcode. */
[[nodiscard]] enum err embed_unpack(const char *path, const struct embed_record *r, struct text *out, struct diag *d);
