#include "program/image_build.h"

#include <string.h>

#include "base/file.h"

void image_builder_init(struct image_builder *b) {
  *b = (struct image_builder){.main = UINT32_MAX, .tls_align = 16};
  *vec_push(&b->strings) = '\0';
  *vec_push(&b->types) = (struct image_type){0};
}

void image_builder_release(struct image_builder *b) {
#define X(name, type) vec_release(&b->name);
  IMAGE_SECTIONS(X)
#undef X
  hashmap_release(&b->string_index);
}

uint32_t image_builder_string(struct image_builder *b, const char *s, size_t n) {
  n = n ? strnlen(s, n) : 0;
  if (n == 0) return 0;
  for (uint64_t key = hash_bytes(s, n, 0);; key = hash_mix(key)) {
    bool is_new;
    uint64_t offset = *hashmap_at(&b->string_index, key, b->strings.count, &is_new);
    if (is_new) {
      char *to = vec_push_n(&b->strings, n + 1);
      memcpy(to, s, n);
      to[n] = '\0';
      return (uint32_t)offset;
    }
    const char *other = b->strings.data + offset;
    if (strncmp(other, s, n) == 0 && other[n] == 0) return (uint32_t)offset;
  }
}

static void put_section(struct text *file, const void *bytes, size_t n) {
  static const char zeros[16];
  if (n) text_append(file, bytes, n);
  if (file->count % 16) text_append(file, zeros, 16 - file->count % 16);
}

enum err image_builder_write(const struct image_builder *b, const char *path, struct diag *d) {
  struct image_header header = {
      .magic = IMAGE_MAGIC,
      .version = IMAGE_VERSION,
      .main = b->main,
      .data_size = b->data_size,
      .tls_size = b->tls_size,
      .tls_align = b->tls_align,
  };
  struct text file = {0};
  put_section(&file, &header, sizeof header);
#define X(name, type)                  \
  header.name##_offset = file.count;   \
  header.name##_count = b->name.count; \
  put_section(&file, b->name.data, b->name.count * sizeof(type));
  IMAGE_SECTIONS(X)
#undef X
  header.bytes = file.count;
  memcpy(file.data, &header, sizeof header);
  image_sign((struct image_header *)(void *)file.data, file.count);
  enum err e = file_write(path, file.data, file.count, d);
  text_release(&file);
  return e;
}
