/* What `heddle cc` puts into ELF files: the records of a section, and the ELF file around it, whichever the bytes begin like. The checksums
 * of records are made to fit. */
#include <string.h>

#include "base/hash.h"
#include "program/elf_file.h"
#include "program/embed.h"
#include "target.h"

enum { CHECK_AT = 8, CHECKED_FROM = 16, VERSION_AT = 16, BYTES_AT = 24, HEADER = 64 }; /* of a record's header: embed.c */

static void fix_checksums(char *bytes, size_t n) {
  static const char magic[8] = "HEDDLEBC";
  for (size_t at = 0; n - at >= HEADER;) {
    uint64_t length, seed;
    const uint16_t version = 2;
    if (bytes[at] == 0) {
      at++;
      continue;
    }
    memcpy(bytes + at, magic, sizeof magic);
    memcpy(bytes + at + VERSION_AT, &version, sizeof version);
    memcpy(&length, bytes + at + BYTES_AT, sizeof length);
    if (length < HEADER || length > n - at) return;
    memcpy(&seed, magic, sizeof seed);
    uint64_t check = hash_bytes(bytes + at + CHECKED_FROM, length - CHECKED_FROM, seed);
    memcpy(bytes + at + CHECK_AT, &check, sizeof check);
    at += length;
  }
}

static size_t length_of(const char *s) { return strlen(s); }

static void read_records(const uint8_t *bytes, size_t n) {
  struct embed_record r;
  struct diag d = {0};
  bool found = true;
  for (size_t at = 0; found && embed_next("F", bytes, n, &at, &r, &found, &d) == ERR_NONE;) {
    if (!found) break;
    MUST(at <= n && length_of(r.name) + length_of(r.folder) + length_of(r.note) < n);
    for (size_t k = 0; k < r.nflags; k += length_of(r.flags + k) + 1) continue;
    struct text raw = {0};
    if (r.nraw <= 1 << 20 && embed_unpack("F", &r, &raw, &d) == ERR_NONE) MUST(raw.count == r.nraw);
    text_release(&raw);
  }
  diag_release(&d);
}

static void on_symbol(void *context, const struct elf_symbol *s) { *(size_t *)context += length_of(s->name); }

static void on_entry(void *context, int64_t tag, const char *string) { *(size_t *)context += (size_t)tag % 2 + length_of(string); }

static void read_elf(const uint8_t *bytes, size_t n) {
  struct elf elf;
  struct diag d = {0};
  size_t sum = 0;
  if (elf_read(&elf, "F", bytes, n, &d) == ERR_NONE) {
    for (size_t i = 0; i < elf.nsections; i++) {
      struct elf_section s = elf_section(&elf, i);
      sum += length_of(s.name);
      if (strncmp(s.name, EMBED_SECTION_PREFIX, strlen(EMBED_SECTION_PREFIX)) == 0) read_records(s.data, s.size);
      MUST(s.size <= n || !s.data);
    }
    elf_symbols(&elf, ELF_ALL_SYMBOLS, on_symbol, &sum);
    elf_symbols(&elf, ELF_DYNAMIC_SYMBOLS, on_symbol, &sum);
    if (elf_is_dynamic(&elf)) elf_dynamic(&elf, on_entry, &sum);
  } else {
    MUST(d.message.count > 0);
  }
  diag_release(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  struct text bytes = {0};
  text_append(&bytes, (const char *)data, n);
  if (elf_is(data, n)) {
    read_elf(data, n);
  } else if (n) {
    fix_checksums(bytes.data, n);
    read_records((const uint8_t *)bytes.data, n);
  }
  text_release(&bytes);
  return 0;
}
