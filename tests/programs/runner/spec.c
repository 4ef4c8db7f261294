#include "spec.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *file_text(const char *path) {
  FILE *f = fopen(path, "r");
  if (!f) return NULL;
  size_t size = 1 << 16, n;
  char *text = malloc(size);
  n = text ? fread(text, 1, size - 1, f) : 0;
  fclose(f);
  if (text) text[n] = 0;
  return text;
}

/* The number of the line outside the header that has the label; 0 if none or several. */
static int label_line(const char *text, const char *label) {
  int line = 0, found = 0;
  bool header = true;
  size_t n = strlen(label);
  for (const char *c = text; *c;) {
    const char *end = c + strcspn(c, "\n");
    line++;
    if (strncmp(c, "//", 2) != 0) header = false;
    for (const char *at = header ? end : c; (at = memchr(at, '@', (size_t)(end - at))); at++) {
      if (strncmp(at + 1, label, n) || isalnum((unsigned char)at[1 + n])) continue;
      if (found && found != line) return 0;
      found = line;
    }
    c = *end ? end + 1 : end;
  }
  return found;
}

static int words(char *text, char **list) {
  int n = 0;
  for (char *w = strtok(text, " \t"); w; w = strtok(NULL, " \t")) {
    if (n == SPEC_WORDS) return -1;
    list[n++] = w;
  }
  list[n] = NULL;
  return n;
}

static const char *read_finding(struct spec_case *c, const char *text, char *value, bool optional) {
  char *list[SPEC_WORDS + 1];
  if (c->nfindings == SPEC_FINDINGS) return "too many findings";
  struct spec_finding *f = &c->findings[c->nfindings++];
  int n = words(value, list);
  if (n < 1) return "a finding without kind";
  f->kinds = list[0];
  f->optional = optional;
  for (int i = 1; i < n; i++) {
    int line = isdigit((unsigned char)list[i][0]) ? atoi(list[i]) : label_line(text, list[i]);
    if (!line) return "a line label that the program does not have exactly once";
    f->lines[f->nlines++] = line;
  }
  return NULL;
}

/* NULL, or what is wrong. `*known` says whether the key was one of ours. */
static const char *read_key(struct spec *s, const char *text, const char *key, char *value, bool *known) {
  struct spec_case *c = &s->cases[s->ncases - 1];
  *known = true;
  if (!strcmp(key, "verdict")) return c->verdict = value, NULL;
  if (!strcmp(key, "memory")) return c->memory = value, NULL;
  if (!strcmp(key, "input")) return c->input = value, NULL;
  if (!strcmp(key, "exit")) return c->exit_code = atoi(value), NULL;
  if (!strcmp(key, "executions")) return c->executions = *value == '?' ? -2 : atol(value), NULL;
  if (!strcmp(key, "finding")) return read_finding(c, text, value, false);
  if (!strcmp(key, "finding?")) return read_finding(c, text, value, true);
  if (!strcmp(key, "options")) return words(value, c->options) < 0 ? "too many options" : NULL;
  if (!strcmp(key, "args")) return words(value, c->args) < 0 ? "too many args" : NULL;
  if (!strcmp(key, "cflags")) return words(value, c->cflags) < 0 ? "too many cflags" : NULL;
  if (!strcmp(key, "output")) return c->native = true, strcmp(value, "native") ? "output: only `native` is known" : NULL;
  if (!strcmp(key, "case")) {
    char *list[SPEC_WORDS + 1];
    int n = words(value, list);
    if (n < 1 || s->ncases == SPEC_CASES) return "a case without name, or too many of them";
    bool native = c->native;
    c = &s->cases[s->ncases++];
    *c = (struct spec_case){.name = list[0], .exit_code = -1, .executions = -1, .native = native};
    memcpy(c->cflags, list + 1, (size_t)n * sizeof *list);
    return NULL;
  }
  *known = false;
  return NULL;
}

bool spec_read(struct spec *s, const char *path) {
  *s = (struct spec){.ncases = 1};
  s->cases[0] = (struct spec_case){.name = "", .exit_code = -1, .executions = -1};
  char *text = file_text(path), *copy = file_text(path);
  const char *wrong = text && copy ? NULL : "cannot be read";
  s->text = copy;
  for (char *line = copy, *next; !wrong && line && !strncmp(line, "//", 2); line = next) {
    next = strchr(line, '\n');
    if (next) *next++ = 0;
    char *key = line + 2 + strspn(line + 2, " "), *colon = strchr(key, ':');
    if (!colon || memchr(key, ' ', (size_t)(colon - key))) continue;
    *colon = 0;
    bool known;
    wrong = read_key(s, text, key, colon + 1 + strspn(colon + 1, " "), &known);
    if (!known) *colon = ':';
  }
  for (int i = 0; !wrong && i < s->ncases; i++) {
    struct spec_case *c = &s->cases[i];
    if (!c->verdict && !c->native) wrong = "a case without verdict";
    if (c->verdict && !strcmp(c->verdict, "BUG") && !c->nfindings) wrong = "a BUG without finding";
  }
  if (wrong) printf("FAIL %s: header: %s\n", path, wrong);
  free(text);
  return !wrong;
}
