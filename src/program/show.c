#include "program/show.h"

#include <string.h>

#include "program/bundle.h"

/* A shell word: as it is, or quoted where the shell would read it otherwise. */
static void put_word(struct text *out, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+./,:@%^";
  if (*word && word[strspn(word, plain)] == 0) {
    text_puts(out, word);
    return;
  }
  text_putc(out, '\'');
  for (; *word; word++) {
    if (*word == '\'')
      text_puts(out, "'\\''");
    else
      text_putc(out, *word);
  }
  text_putc(out, '\'');
}

static void put_flags(struct text *out, const struct embed_record *r) {
  for (size_t at = 0; at < r->nflags; at += strlen(r->flags + at) + 1) {
    text_putc(out, ' ');
    put_word(out, r->flags + at);
  }
  text_putc(out, '\n');
}

static void put_size(struct text *out, size_t n) {
  if (n < 1024)
    text_printf(out, "%zu bytes", n);
  else if (n < 1024 * 1024)
    text_printf(out, "%.1f KB", (double)n / 1024);
  else
    text_printf(out, "%.1f MB", (double)n / (1024 * 1024));
}

static void put_module(struct text *out, const struct bundle *b, const struct bundle_record *m) {
  const struct embed_record *r = &m->record;
  text_printf(out, "module %s (", r->name);
  put_size(out, r->nraw);
  text_puts(out, " of bitcode, ");
  put_size(out, r->npacked);
  text_puts(out, " packed");
  if (m->file) text_printf(out, ", from %s", b->files.data[m->file].path);
  text_printf(out, ")\n  folder %s\n  flags", r->folder);
  put_flags(out, r);
}

enum err program_show(const char *path, struct text *out, struct diag *d) {
  struct bundle b = {0};
  struct args missing = {0};
  enum err e = bundle_read(&b, path, d);
  if (e == ERR_NONE && bundle_modules(&b) == 0) e = bundle_is_bare(&b, d);
  if (e != ERR_NONE) goto out;
  text_printf(out, "%s: %zu module%s\n", path, bundle_modules(&b), bundle_modules(&b) == 1 ? "" : "s");
  for (size_t i = 0; i < b.records.count; i++)
    if (b.records.data[i].record.kind == EMBED_MODULE) put_module(out, &b, &b.records.data[i]);
  for (size_t i = 0; i < b.records.count; i++) {
    const struct embed_record *r = &b.records.data[i].record;
    if (r->kind != EMBED_LINK) continue;
    text_printf(out, "link %s\n  folder %s\n  flags", r->name, r->folder);
    put_flags(out, r);
  }
  for (size_t i = 0; i < b.bare_libraries.list.count; i++) text_printf(out, "library %s (no bitcode)\n", b.bare_libraries.list.data[i]);
  bundle_missing(&b, &missing);
  for (size_t i = 0; i < missing.list.count; i++) text_printf(out, "missing: %s\n", missing.list.data[i]);
out:
  args_release(&missing);
  bundle_release(&b);
  return e;
}
