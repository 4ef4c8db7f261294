#include "program/kept_bitcode.h"

#include <stdint.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"

#define MAGIC 0x0b17c0deu

struct wrapper {
  uint32_t magic, version, offset, size, processor; /* LLVM's: the bitcode is `size` bytes from `offset` on */
  uint32_t size_check;                              /* ours: the complement of the size */
  uint64_t check;                                   /* ours: of the bitcode */
};
_Static_assert(sizeof(struct wrapper) == 32 && offsetof(struct wrapper, check) == 24, "layout on disk");

static struct wrapper wrapper_of(const char *bitcode, size_t n) {
  return (struct wrapper){.magic = MAGIC,
                          .offset = sizeof(struct wrapper),
                          .size = (uint32_t)n,
                          .size_check = ~(uint32_t)n,
                          .check = hash_bytes(bitcode, n, MAGIC)};
}

void kept_bitcode_write(const struct text *bitcode, struct text *out) {
  struct wrapper w = wrapper_of(text_str(bitcode), bitcode->count);
  text_append(out, (const char *)&w, sizeof w);
  text_append(out, text_str(bitcode), bitcode->count);
}

bool kept_bitcode_is_whole(const char *path) {
  struct text t = {0};
  struct diag ignored = {0};
  bool whole = file_read(path, FILE_PROGRAM, &t, &ignored) == ERR_NONE && t.count >= sizeof(struct wrapper);
  if (whole) {
    struct wrapper w = wrapper_of(t.data + sizeof w, t.count - sizeof w);
    whole = memcmp(&w, t.data, sizeof w) == 0;
  }
  text_release(&t);
  diag_release(&ignored);
  return whole;
}
