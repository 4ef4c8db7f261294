#include "cli/competition.h"

#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "report/report.h"

#define KIND(name) (1u << FINDING_##name)

#define OVERFLOW_FORMULA "G!overflow"
/* What is asked of all executions, without spaces. `kinds`: 0: Heddle does not look for it. */
static const struct row {
  const char *formula, *name;
  uint32_t kinds;
} rows[] = {
    {"G!call(reach_error())", "unreach-call", KIND(PROPERTY)}, /* WATCHED */
    {"G!call(__VERIFIER_error())", "unreach-call", KIND(PROPERTY)},
    {"G!data-race", "no-data-race", KIND(DATA_RACE)},
    {"Gvalid-free", "valid-free", KIND(DOUBLE_FREE) | KIND(BAD_FREE)},
    {"Gvalid-deref", "valid-deref", KIND(USE_AFTER_FREE) | KIND(OUT_OF_BOUNDS) | KIND(NULL_DEREFERENCE)},
    {"Gvalid-memtrack", "valid-memtrack", KIND(LEAK)},
    {"Gvalid-memcleanup", "valid-memcleanup", 0},
    {OVERFLOW_FORMULA, "no-overflow", KIND(OVERFLOW)},
    {"Fend", "termination", 0},
};
/* Whatever the function does, calling it is the violation. */
#define WATCHED_NAME "unreach_call"
#define WATCHED                                                    \
  "property " WATCHED_NAME                                         \
  "() {\n"                                                         \
  "  event error before call reach_error() | __VERIFIER_error()\n" \
  "  pattern error\n"                                              \
  "}\n"
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
    diag_hint(d, "it looks for unreach-call, no-data-race, no-overflow, valid-free, valid-deref and valid-memtrack");
    return ERR_FORMAT;
  }
  diag_set(d, ERR_FORMAT, "%s:%u: this is no property that heddle check knows", c->path, number);
  diag_hint(d, "such a line reads: CHECK( init(main()), LTL(G ! call(reach_error())) )");
  return ERR_FORMAT;
}

static bool is_comment(const char *at) { return *at == '#' || (at[0] == '/' && at[1] == '/'); }

/* The line as it is, without what is around it. */
static void quote_line(struct competition *c, const char *at, size_t n) {
  while (n && isspace((unsigned char)*at)) at++, n--;
  while (n && isspace((unsigned char)at[n - 1])) n--;
  if (c->specification.count) text_putc(&c->specification, '\n');
  text_append(&c->specification, at, n);
}

static enum err read_lines(struct competition *c, const char *at, struct diag *d) {
  enum err e = ERR_NONE;
  for (unsigned number = 1; *at && !e; number++) {
    size_t n = strcspn(at, "\n");
    struct text line = {0};
    squeeze(at, n, &line);
    bool says = line.count && !is_comment(text_str(&line));
    if (says) quote_line(c, at, n);
    if (says) e = read_line(c, &line, number, d);
    text_release(&line);
    at += n + (at[n] == '\n');
  }
  return e;
}

/* Where the first line begins that says something. */
static const char *first_word(const char *at) {
  while (isspace((unsigned char)*at) || is_comment(at)) at += isspace((unsigned char)*at) ? 1 : strcspn(at, "\n");
  return at;
}

/* Files of the other kind begin with words of their own. */
static bool is_competition(const char *text) {
  const char *at = first_word(text);
  return strncmp(at, BEGIN, sizeof BEGIN - 1) == 0 || strncmp(at, "COVER(", 6) == 0;
}

const char *competition_watched(const char *text) {
  if (!is_competition(text)) return NULL;
  return strstr(text, "call(") ? WATCHED : "";
}

bool competition_asks_overflow(const char *text) {
  bool asks = false;
  for (const char *at = is_competition(text) ? text : ""; *at && !asks;) {
    size_t n = strcspn(at, "\n");
    struct text line = {0};
    squeeze(at, n, &line);
    const char *formula = formula_of(&line);
    asks = formula && strcmp(formula, OVERFLOW_FORMULA) == 0;
    text_release(&line);
    at += n + (at[n] == '\n');
  }
  return asks;
}

static enum err read_file(struct competition *c, const char *path, struct diag *d) {
  struct text text = {0};
  enum err e = file_read(path, FILE_TEXT, &text, d);
  const char *first = e ? "" : first_word(text_str(&text));
  if (!e && strlen(text_str(&text)) != text.count) e = diag_set(d, ERR_FORMAT, "%s is not text: it has a zero byte", path);
  if (!e && !*first) e = diag_set(d, ERR_FORMAT, "%s has no property", path);
  bool taken = !e && is_competition(text_str(&text));
  if (taken && c->path) e = diag_set(d, ERR_USAGE, "%s and %s: one file of SV-COMP's properties can be asked for", c->path, path);
  if (taken && !e) {
    c->path = path;
    e = read_lines(c, text_str(&text), d);
  }
  text_release(&text);
  return e;
}

enum err competition_find(struct competition *c, const struct words *paths, struct diag *d) {
  enum err e = ERR_NONE;
  for (size_t i = 0; i < paths->count && !e; i++) e = read_file(c, paths->data[i], d);
  return e;
}

uint32_t competition_kinds(const struct competition *c) {
  uint32_t kinds = 0;
  for (unsigned i = 0; i < ROWS; i++)
    if (c->asked >> i & 1) kinds |= rows[i].kinds;
  return kinds;
}

/* What the finding violates; NULL: nothing that was asked for. Users' properties may be watched as well. */
static const char *violated(const struct competition *c, const struct schedule_file *f) {
  bool other = f->kind == FINDING_PROPERTY && !strstr(schedule_string(f, f->message), " " WATCHED_NAME " ");
  for (unsigned i = 0; i < ROWS && !other; i++)
    if ((c->asked >> i & 1) && (rows[i].kinds >> f->kind & 1)) return rows[i].name;
  return NULL;
}

const struct report_finding *competition_finding(const struct competition *c, const struct report *r) {
  for (size_t i = 0; i < r->findings.count; i++) {
    const struct report_finding *f = &r->findings.data[i];
    if (f->is_recorded && f->confirmed && violated(c, &f->schedule)) return f;
  }
  return NULL;
}

void competition_release(struct competition *c) { text_release(&c->specification); }

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
