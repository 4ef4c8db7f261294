/* What debug information says: files, names and types of variables. */
#include <string.h>

#include "program/lower/lower.h"

uint32_t debug_file(struct lower *l, const char *directory, unsigned nd, const char *file, unsigned nf) {
  uint64_t key = hash_pair((uint64_t)(uintptr_t)file, (uint64_t)(uintptr_t)directory);
  bool is_new;
  uint64_t *known = hashmap_at(&l->files, key, 0, &is_new);
  if (!is_new) return (uint32_t)*known;
  struct text path = {0};
  if (nf && file[0] != '/' && nd) {
    text_append(&path, directory, nd);
    text_putc(&path, '/');
    if (nf > 2 && memcmp(file, "./", 2) == 0) file += 2, nf -= 2;
  }
  text_append(&path, file, nf);
  uint32_t string = image_builder_string(&l->image, text_str(&path), path.count);
  text_release(&path);
  *known = string;
  return string;
}

void debug_global(struct lower *l, LLVMValueRef variable, struct image_global *out) { (void)l, (void)variable, (void)out; }

void debug_function(struct lower *l, LLVMValueRef function, struct image_function *out) {
  (void)l, (void)function;
  out->name = out->link_name;
}

void debug_local(struct fn *f, LLVMValueRef v, LLVMOpcode op) { (void)f, (void)v, (void)op; }
void debug_locals_end(struct fn *f, uint32_t base, uint32_t slots) { (void)f, (void)base, (void)slots; }
