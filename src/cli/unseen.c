#include "cli/unseen.h"

#include <string.h>

#include "base/file.h"
#include "program/elf_file.h"
#include "program/kept_module.h"

static bool contains(const struct args *places, const char *word) {
  for (size_t i = 0; i < places->list.count; i++)
    if (strcmp(places->list.data[i], word) == 0) return true;
  return false;
}

/* The linker may put zeros between what is of two modules. */
static void add_all(const struct elf_section *s, struct args *places) {
  const char *at = (const char *)s->data, *end = at + s->size;
  while (at < end) {
    size_t n = strnlen(at, (size_t)(end - at));
    if (at + n == end) return;
    if (n && !contains(places, at)) args_add(places, at);
    at += n + 1;
  }
}

void unseen_add(const char *path, struct args *places) {
  struct text bytes = {0};
  struct diag ignored = {0};
  struct elf elf;
  if (file_read(path, FILE_PROGRAM, &bytes, &ignored) == ERR_NONE && elf_read(&elf, path, bytes.data, bytes.count, &ignored) == ERR_NONE)
    for (size_t i = 0; i < elf.nsections; i++) {
      struct elf_section s = elf_section(&elf, i);
      if (strcmp(s.name, WEAVE_UNSEEN) == 0) add_all(&s, places);
    }
  text_release(&bytes);
  diag_release(&ignored);
}
