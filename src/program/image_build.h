/* An image under construction: one growable vector for each section (image.h), written out at the end, whole or not at all.
 *
 * Owner: the loader; tests build small images by hand with it. */
#pragma once
#include "base/hash.h"
#include "base/vec.h"
#include "program/image.h"

struct image_builder {
#define X(name, type) VEC(type) name;
  IMAGE_SECTIONS(X)
#undef X
  struct hashmap string_index; /* hash -> offset */
  uint32_t main, tls_align;
  uint64_t data_size, tls_size;
};

/* Empty but for what every image has: the string "" and the unknown type. No main. */
void image_builder_init(struct image_builder *b);
void image_builder_release(struct image_builder *b);
/* Offset of the string, added if new; bytes from the first NUL on are dropped. */
uint32_t image_builder_string(struct image_builder *b, const char *s, size_t n);
[[nodiscard]] enum err image_builder_write(const struct image_builder *b, const char *path, struct diag *d);
