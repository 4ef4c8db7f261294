/* All that an ELF file built with `heddle cc` carries: its records, those of the shared libraries it needs, and what lacks bitcode. */
#pragma once
#include "base/err.h"
#include "base/vec.h"
#include "program/args.h"
#include "program/elf_file.h"
#include "program/embed.h"

struct bundle_file {
  char *path;       /* without symbolic links */
  struct text name; /* of a library, as it is asked for first: `libz.so.1` of .../libz.so.1.2.13 */
  struct text content;
  struct elf elf;
};

struct bundle_record {
  size_t file; /* index of the file that carries it */
  struct embed_record record;
};

/* Zeroed is empty. Records point into the files' content. */
struct bundle {
  VEC(struct bundle_file) files; /* the named file first, then libraries with bitcode */
  VEC(struct bundle_record) records;
  struct args bare_libraries; /* needed libraries that carry nothing (or were not found) */
};

/* Reads the file and, through the dynamic section, the libraries. Library search: the run path, LD_LIBRARY_PATH, the folders and files of
 * the link line, the system's folders. ERR_FILE, ERR_FORMAT, ERR_UNSUPPORTED; a file without any record is no error. */
[[nodiscard]] enum err bundle_read(struct bundle *b, const char *path, struct diag *d);
void bundle_release(struct bundle *b);
/* How many modules there are. */
size_t bundle_modules(const struct bundle *b);
/* The error for a file without modules: ERR_UNSUPPORTED, why, and what to do. */
enum err bundle_is_bare(const struct bundle *b, struct diag *d);
/* Adds a sentence for each part known to lack bitcode: assembler sources, failed compilations, objects of another compiler. */
void bundle_missing(const struct bundle *b, struct args *missing);
