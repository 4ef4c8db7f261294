/* ELF files, as far as carrying bitcode needs: sections by name, symbols, needed libraries; and adding a section to a file.
 *
 * Only 64-bit little-endian files. elf_read() checks the section table once: afterwards every section lies inside the file and every
 * section name is a NUL-terminated string inside it. Nothing here trusts a byte of the file before that. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct elf {
  const char *path; /* for messages */
  const uint8_t *bytes;
  size_t size;
  uint16_t type, machine; /* ET_REL, ET_EXEC, ET_DYN ... */
  size_t nsections;
  uint64_t section_table; /* offset */
  size_t names;           /* index of the section of section names; 0 if there is none */
};

struct elf_section {
  const char *name;
  uint32_t type, link;
  uint64_t flags;
  uint64_t address;    /* where it lies in the process; 0: nowhere */
  const uint8_t *data; /* `size` bytes; none if SHT_NOBITS */
  uint64_t size;
};

struct elf_symbol {
  const char *name;
  uint8_t type, binding; /* STT_, STB_ */
  bool defined;
};

/* True if the bytes start like an ELF file (of any class). */
bool elf_is(const void *bytes, size_t n);
/* Checks header and section table. ERR_FORMAT for a damaged file, ERR_UNSUPPORTED for 32-bit or big-endian ones. `bytes` and `path` must
 * outlive `elf`. */
[[nodiscard]] enum err elf_read(struct elf *elf, const char *path, const void *bytes, size_t n, struct diag *d);
/* Section `i` < nsections. */
struct elf_section elf_section(const struct elf *elf, size_t i);
/* The string at `offset` of a string table; "" if it is outside or unterminated. */
const char *elf_string(const struct elf_section *table, uint64_t offset);
enum elf_table { ELF_ALL_SYMBOLS /* gone if the file was stripped */, ELF_DYNAMIC_SYMBOLS };
/* Calls `each` for the symbols of that table; false if the file has none. */
bool elf_symbols(const struct elf *elf, enum elf_table which, void (*each)(void *context, const struct elf_symbol *s), void *context);
/* True if the file is linked dynamically. */
bool elf_is_dynamic(const struct elf *elf);
/* Calls `each` for the entries of the dynamic section that are strings (DT_NEEDED, DT_RUNPATH, DT_RPATH, DT_SONAME). */
void elf_dynamic(const struct elf *elf, void (*each)(void *context, int64_t tag, const char *string), void *context);

/* Libraries that the file needs by a path, of which `wanted` is true, it needs by the last part of that path from now on, so that they are
 * looked for like others. In place. */
[[nodiscard]] enum err elf_shorten_needed(const char *path, bool (*wanted)(void *context, const char *needed), void *context,
                                          struct diag *d);

/* Appends a section (not loaded, alignment 8) to the ELF file at `path`, in place: the program that runs is the same. On failure the
 * file is as it was. */
[[nodiscard]] enum err elf_add_section(const char *path, const char *name, const void *data, size_t n, struct diag *d);
