#include "report/coverage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/vec.h"
#include "machine/machine.h"
#include "program/insn.h"

/* A place that executions can come to; of a function: its name is not 0. */
struct spot {
  const char *file;
  uint32_t line;
  const char *function; /* NULL: a line */
  bool hit;
};
struct spots {
  VEC(struct spot) all;
};

static void add_function(struct spots *s, const struct machine *m, const struct image_function *f) {
  const struct image *image = machine_image(m);
  struct spot whole = {image_string(image, f->file), f->line, image_string(image, f->name), false};
  bool own = false; /* it has a line in its own file, which is no header of the system */
  for (uint32_t at = f->code; at < f->code + f->ncode; at += insn_words(&image->code[at])) {
    const struct image_site *site = &image->sites[image->code_sites[at]];
    if (image->code[at].op != OP_COVER) continue;
    bool hit = machine_remarked(m, image->code_sites[at], REMARK_COVERED);
    whole.hit |= hit;
    if (site->flags & SITE_HEADER) continue;
    own |= site->file == f->file;
    *vec_push(&s->all) = (struct spot){image_string(image, site->file), site->line, NULL, hit};
  }
  if (own && whole.line) *vec_push(&s->all) = whole;
}

/* By file; functions first, then lines. */
static int compare(const void *a, const void *b) {
  const struct spot *x = a, *y = b;
  int files = strcmp(x->file, y->file);
  if (files) return files;
  if (!x->function != !y->function) return x->function ? -1 : 1;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  return x->function ? strcmp(x->function, y->function) : 0;
}

static bool same(const struct spot *a, const struct spot *b) { return compare(a, b) == 0; }

static void put(const struct spot *s, struct text *out) {
  if (s->function)
    text_printf(out, "FN:%" PRIu32 ",%s\nFNDA:%d,%s\n", s->line, s->function, s->hit, s->function);
  else
    text_printf(out, "DA:%" PRIu32 ",%d\n", s->line, s->hit);
}

static void put_all(struct spots *s, struct coverage_counts *n, struct text *out) {
  const char *file = NULL;
  struct coverage_counts before = {0};
  for (size_t i = 0; i < s->all.count; i++) {
    struct spot x = s->all.data[i];
    if (!file || strcmp(file, x.file) != 0) text_printf(out, "TN:\nSF:%s\n", file = x.file);
    while (i + 1 < s->all.count && same(&x, &s->all.data[i + 1])) x.hit |= s->all.data[++i].hit;
    put(&x, out);
    *(x.function ? &n->functions : &n->lines) += 1;
    *(x.function ? &n->functions_hit : &n->lines_hit) += x.hit;
    if (i + 1 < s->all.count && strcmp(s->all.data[i + 1].file, file) == 0) continue;
    text_printf(out, "FNF:%" PRIu32 "\nFNH:%" PRIu32 "\nLF:%" PRIu32 "\nLH:%" PRIu32 "\nend_of_record\n", n->functions - before.functions,
                n->functions_hit - before.functions_hit, n->lines - before.lines, n->lines_hit - before.lines_hit);
    before = *n;
  }
}

enum err coverage_write(const struct machine *m, const char *path, struct coverage_counts *counts, struct diag *d) {
  const struct image *image = machine_image(m);
  struct spots s = {0};
  struct text out = {0};
  *counts = (struct coverage_counts){0};
  for (uint32_t i = 0; i < image->nfunctions; i++) add_function(&s, m, &image->functions[i]);
  if (s.all.count) qsort(s.all.data, s.all.count, sizeof s.all.data[0], compare);
  put_all(&s, counts, &out);
  enum err e = file_write(path, text_str(&out), out.count, d);
  vec_release(&s.all);
  text_release(&out);
  return e;
}
