#include "cli/competition.h"

#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "report/report.h"

#define KIND(name) (1u << FINDING_##name)

/* What is asked of all executions, without spaces. `kinds`: 0: Heddle does not look for it. */
static const struct row {
  const char *formula, *name;
  uint32_t kinds;
} rows[] = {
    {"G!call(reach_error())", "unreach-call", KIND(ASSERTION)},
    {"G!call(__VERIFIER_error())", "unreach-call", KIND(ASSERTION)},
    {"G!data-race", "no-data-race", KIND(DATA_RACE)},
    {"Gvalid-free", "valid-free", KIND(DOUBLE_FREE) | KIND(BAD_FREE)},
    {"Gvalid-deref", "valid-deref", KIND(USE_AFTER_FREE) | KIND(OUT_OF_BOUNDS) | KIND(NULL_DEREFERENCE)},
    {"Gvalid-memtrack", "valid-memtrack", KIND(LEAK)},
    {"Gvalid-memcleanup", "valid-memcleanup", 0},
    {"G!overflow", "no-overflow", 0},
    {"Fend", "termination", 0},
};
enum { ROWS = sizeof rows / sizeof *rows };
#define BEGIN "CHECK("

/* Without what separates words. */
static void squeeze(const char *from, size_t n, struct text *to) {
  for (size_t i = 0; i < n; i++)
    if (!isspace((unsigned char)from[i])) text_putc(to, from[i]);
}

/* "CHECK(init(main()),LTL(FORMULA))": the formula; NULL: it is not that. */
static const char *formula_of(struct text *line) {
  static const char begin[] = BEGIN "init(main()),LTL(", end[] = "))";
  size_t n = line->count, before = sizeof begin - 1, behind = sizeof end - 1;
  if (n < before + behind || memcmp(line->data, begin, before) != 0 || strcmp(text_str(line) + n - behind, end) != 0) return NULL;
  line->count = n - behind, line->data[line->count] = '\0';
  return text_str(line) + before;
}

static enum err read_line(struct competition *c, struct text *line, unsigned number, struct diag *d) {
  const char *formula = formula_of(line);
  for (unsigned i = 0; formula && i < ROWS; i++) {
    if (strcmp(formula, rows[i].formula) != 0) continue;
    c->asked |= 1u << i;
    if (rows[i].kinds) return ERR_NONE;
    diag_set(d, ERR_FORMAT, "%s:%u: heddle check does not look for %s", c->path, number, rows[i].name);
    diag_hint(d, "it looks for unreach-call, no-data-race, valid-free, valid-deref and valid-memtrack");
    return ERR_FORMAT;
  }
  diag_set(d, ERR_FORMAT, "%s:%u: this is no property that heddle check knows", c->path, number);
  diag_hint(d, "such a line reads: CHECK( init(main()), LTL(G ! call(reach_error())) )");
  return ERR_FORMAT;
}

static enum err read_lines(struct competition *c, const char *at, struct diag *d) {
  enum err e = ERR_NONE;
  for (unsigned number = 1; *at && !e; number++) {
    size_t n = strcspn(at, "\n");
    struct text line = {0};
    squeeze(at, n, &line);
    bool empty = line.count == 0 || line.data[0] == '#' || (line.count > 1 && line.data[0] == '/' && line.data[1] == '/');
    if (!empty) e = read_line(c, &line, number, d);
    text_release(&line);
    at += n + (at[n] == '\n');
  }
  return e;
}

/* Files of the other kind begin with words of their own. */
static bool is_competition(const char *at) {
  while (isspace((unsigned char)*at)) at++;
  return strncmp(at, BEGIN, sizeof BEGIN - 1) == 0 || strncmp(at, "COVER(", 6) == 0;
}

enum err competition_take(struct competition *c, struct words *paths, struct diag *d) {
  enum err e = ERR_NONE;
  size_t kept = 0;
  for (size_t i = 0; i < paths->count && !e; i++) {
    struct text text = {0};
    e = file_read(paths->data[i], FILE_TEXT, &text, d);
    bool taken = !e && is_competition(text_str(&text));
    if (taken && c->path)
      e = diag_set(d, ERR_USAGE, "%s and %s: one file of SV-COMP's properties can be asked for", c->path, paths->data[i]);
    if (taken && !e) {
      c->path = paths->data[i];
      e = read_lines(c, text_str(&text), d);
    }
    if (!taken) paths->data[kept++] = paths->data[i];
    text_release(&text);
  }
  if (!e) paths->count = kept;
  return e;
}

uint32_t competition_kinds(const struct competition *c) {
  uint32_t kinds = 0;
  for (unsigned i = 0; i < ROWS; i++)
    if (c->asked >> i & 1) kinds |= rows[i].kinds;
  return kinds;
}

/* An assertion counts as reach_error() if it fails there. */
static bool reaches_error(const struct schedule_file *f) {
  if (strstr(schedule_string(f, f->message), "reached its error location")) return true;
  return f->sites.count && strcmp(schedule_string(f, f->sites.data[0].function), "reach_error") == 0;
}

/* What the finding violates; NULL: nothing that was asked for. */
static const char *violated(const struct competition *c, const struct schedule_file *f) {
  for (unsigned i = 0; i < ROWS; i++) {
    if (!(c->asked >> i & 1) || !(rows[i].kinds >> f->kind & 1)) continue;
    return f->kind != FINDING_ASSERTION || reaches_error(f) ? rows[i].name : NULL;
  }
  return NULL;
}

void competition_judge(const struct competition *c, struct report *r) {
  if (!c->path) return;
  r->property = c->path;
  for (size_t i = 0; i < r->findings.count; i++) {
    const struct report_finding *f = &r->findings.data[i];
    const char *name = violated(c, &f->schedule);
    for (size_t k = 0; k < f->also.count && !name; k++) name = violated(c, &f->also.data[k]);
    if (!name) continue;
    text_printf(&r->result, "false(%s)", name);
    return;
  }
  text_puts(&r->result, r->verdict == VERDICT_SAFE ? "true" : "unknown");
}
