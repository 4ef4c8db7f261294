#include "cli/spec_files.h"

#include <string.h>

#include "base/file.h"
#include "base/mem.h"

static enum err read_file(struct spec_files *f, const char *path, struct diag *d) {
  char error[SPEC_ERROR];
  struct text text = {0};
  enum err e = file_read(path, FILE_TEXT, &text, d);
  if (!e && strlen(text_str(&text)) != text.count) e = diag_set(d, ERR_FORMAT, "%s is not text: it has a zero byte", path);
  if (!e) {
    args_add(&f->texts, text_str(&text));
    *vec_push(&f->methods) = f->spec.nmethods, *vec_push(&f->functions) = f->spec.nfunctions;
    if (!spec_read(&f->spec, vec_last(&f->texts.list), path, error)) e = diag_set(d, ERR_FORMAT, "%s", error);
  }
  text_release(&text);
  return e;
}

enum err spec_files_read(struct spec_files **f, const struct words *paths, struct diag *d) {
  enum err e = ERR_NONE;
  *f = paths->count ? mem_alloc(sizeof **f) : NULL;
  for (size_t i = 0; i < paths->count && !e; i++) e = read_file(*f, paths->data[i], d);
  if (!e) return e;
  spec_files_free(*f);
  *f = NULL;
  return e;
}

void spec_files_free(struct spec_files *f) {
  if (!f) return;
  args_release(&f->texts);
  vec_release(&f->methods);
  vec_release(&f->functions);
  mem_free(f, sizeof *f);
}

void spec_files_calls(const struct spec_files *f, struct text *out) {
  const struct spec *s = &f->spec;
  for (unsigned i = 0; i < s->nmethods; i++) text_printf(out, "%.*s\n", (int)s->methods[i].name.length, s->methods[i].name.at);
  for (unsigned i = 0; i < s->nfunctions; i++) text_printf(out, "%.*s\n", (int)s->functions[i].name.length, s->functions[i].name.at);
}

/* Functions that a specification names are told of by their symbols. */
static bool has(const struct image *image, struct spec_name name, bool defined) {
  static const char prefix[] = IMAGE_KNOWN_PREFIX;
  for (uint32_t i = 0; i < image->nfunctions && defined; i++) {
    const char *at = image_string(image, image->functions[i].link_name);
    if (strncmp(at, name.at, name.length) == 0 && !at[name.length]) return true;
  }
  for (uint32_t i = 0; i < image->nexterns && !defined; i++) {
    const char *at = image_string(image, image->externs[i].name);
    if (strncmp(at, prefix, sizeof prefix - 1) != 0) continue;
    at += sizeof prefix - 1;
    if (strncmp(at, name.at, name.length) == 0 && !at[name.length]) return true;
  }
  return false;
}

/* The file that what has this number is from, if file i begins with number first[i]. */
static const char *file_of(const struct words *paths, const uint16_t *first, unsigned number) {
  size_t i = paths->count;
  while (i-- > 1)
    if (first[i] <= number) break;
  return paths->data[i];
}

enum err spec_files_check(const struct spec_files *f, const struct words *paths, const struct image *image, struct diag *d) {
  const struct spec *s = &f->spec;
  for (unsigned i = 0; i < s->nmethods; i++) {
    const struct spec_method *m = &s->methods[i];
    if (has(image, m->name, false)) continue;
    diag_hint(d, "is the name written as in the program?");
    return diag_set(d, ERR_UNSUPPORTED, "%s:%u:%u: the program has no method \"%.*s\"", file_of(paths, f->methods.data, i), m->line,
                    m->column, (int)m->name.length, m->name.at);
  }
  for (unsigned i = 0; i < s->nfunctions; i++) {
    const struct spec_function *g = &s->functions[i];
    if (has(image, g->name, true)) continue;
    diag_hint(d, "a function that a formula calls has to be defined in the program, and not be static");
    return diag_set(d, ERR_UNSUPPORTED, "%s:%u:%u: the program has no function \"%.*s\"", file_of(paths, f->functions.data, i), g->line,
                    g->column, (int)g->name.length, g->name.at);
  }
  return ERR_NONE;
}
