#include "cli/unfixed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/session.h"

/* Arguments of one option. */
#define ARGUMENTS_MOST 256u

bool unfixed_any(const struct session_inputs *x) {
  return x->symbolic_stdin.count + x->symbolic_files.count + x->symbolic_arguments.count + x->symbolic_variables.count > 0;
}

/* Decimal digits up to the end of the word. */
static bool read_size(const char *word, uint64_t most, uint32_t *to) {
  char *end;
  errno = 0;
  unsigned long long value = strtoull(word, &end, 10);
  if (errno || *end || *word < '0' || *word > '9' || value == 0 || value > most) return false;
  *to = (uint32_t)value;
  return true;
}

static enum err wrong(const char *option, const char *form, const char *word, struct diag *d) {
  return diag_set(d, ERR_USAGE, "%s takes %s, sizes from 1 to %u, not \"%s\"", option, form, SOURCE_MOST, word);
}

/* "NAME:N", at the last colon. */
static enum err read_named(struct unfixed *s, enum machine_source_kind kind, const char *option, const char *word, struct diag *d) {
  const char *colon = strrchr(word, ':');
  struct machine_source source = {.kind = kind};
  bool good = colon && colon > word && read_size(colon + 1, SOURCE_MOST, &source.size);
  if (!good || (kind == SOURCE_VARIABLE && memchr(word, '=', (size_t)(colon - word)))) return wrong(option, "NAME:N", word, d);
  size_t n = (size_t)(colon - word) + 1;
  char *name = mem_alloc(n);
  memcpy(name, word, n - 1);
  *vec_push(&s->names) = name;
  source.name = name;
  for (size_t i = 0; i < s->list.count; i++)
    if (s->list.data[i].kind == kind && strcmp(s->list.data[i].name, name) == 0)
      return diag_set(d, ERR_USAGE, "%s says twice what %s is", option, name);
  *vec_push(&s->list) = source;
  return ERR_NONE;
}

/* Does the user say by another option what the variable, or file, has? */
static bool is_said(const struct words *words, const char *name, bool variable) {
  size_t n = strlen(name);
  for (size_t i = 0; i < words->count; i++)
    if (strncmp(words->data[i], name, n) == 0 && words->data[i][n] == (variable ? '=' : 0)) return true;
  return false;
}

static enum err read_stdin(struct unfixed *s, const struct session_inputs *x, struct diag *d) {
  struct machine_source source = {.kind = SOURCE_STDIN};
  if (x->symbolic_stdin.count == 0) return ERR_NONE;
  if (x->input) return diag_set(d, ERR_USAGE, "--symbolic-stdin and --input exclude each other");
  if (x->symbolic_stdin.count > 1) return diag_set(d, ERR_USAGE, "--symbolic-stdin is given twice");
  if (!read_size(x->symbolic_stdin.data[0], SOURCE_MOST, &source.size)) return wrong("--symbolic-stdin", "N", x->symbolic_stdin.data[0], d);
  *vec_push(&s->list) = source;
  return ERR_NONE;
}

/* "N:M": N arguments of at most M characters. */
static enum err read_arguments(struct unfixed *s, const char *word, struct diag *d) {
  struct machine_source source = {.kind = SOURCE_ARGUMENT};
  const char *colon = strchr(word, ':');
  char *end;
  unsigned long n = strtoul(word, &end, 10);
  bool good = colon && end == colon && *word >= '0' && *word <= '9' && n > 0 && n <= ARGUMENTS_MOST;
  if (!good || !read_size(colon + 1, SOURCE_MOST, &source.size))
    return wrong("--symbolic-args", "N:M, N arguments of at most M characters", word, d);
  while (n-- > 0) *vec_push(&s->list) = source;
  return ERR_NONE;
}

enum err unfixed_read(struct unfixed *s, const struct session_inputs *x, struct diag *d) {
  enum err e = read_stdin(s, x, d);
  for (size_t i = 0; !e && i < x->symbolic_files.count; i++)
    e = read_named(s, SOURCE_FILE, "--symbolic-file", x->symbolic_files.data[i], d);
  for (size_t i = 0; !e && i < x->symbolic_arguments.count; i++) e = read_arguments(s, x->symbolic_arguments.data[i], d);
  for (size_t i = 0; !e && i < x->symbolic_variables.count; i++)
    e = read_named(s, SOURCE_VARIABLE, "--symbolic-env", x->symbolic_variables.data[i], d);
  for (size_t i = 0; !e && i < s->list.count; i++) {
    const struct machine_source *source = &s->list.data[i];
    if (source->kind == SOURCE_FILE && is_said(&x->readable, source->name, false))
      e = diag_set(d, ERR_USAGE, "--symbolic-file and --file both say what %s is", source->name);
    if (source->kind == SOURCE_VARIABLE && is_said(&x->environment, source->name, true))
      e = diag_set(d, ERR_USAGE, "--symbolic-env and --env both say what %s is", source->name);
  }
  return e;
}

void unfixed_release(struct unfixed *s) {
  for (size_t i = 0; i < s->names.count; i++) mem_free(s->names.data[i], strlen(s->names.data[i]) + 1);
  vec_release(&s->names);
  vec_release(&s->list);
}
