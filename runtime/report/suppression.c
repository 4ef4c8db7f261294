#include "report/suppression.h"

#include <errno.h>
#include <string.h>

#include "base/suppress.h"
#include "report/location.h"
#include "report/report.h"
#include "report/stack.h"

enum { THREADS = 64 };

static struct suppression *first, **last = &first;

static char *copied(const char *from, size_t n) {
  char *to = rt_alloc(n + 1);
  if (!to) rt_die("heddle: no memory for suppressions\n");
  rt_copy(to, from, n);
  to[n] = 0;
  return to;
}

static void add_line(const char *at, const char *end, const char *file, unsigned line) {
  struct suppress_parts p;
  enum suppress_line what = suppress_parse(at, end, &p);
  if (what == SUPPRESS_NOTHING) return;
  if (what == SUPPRESS_NO_RULE)
    rt_die("heddle: %s:%u: a suppression is TYPE:PATTERN, not \"%.*s\"\n", file, line, (int)p.type_length, p.type);
  if (what == SUPPRESS_NO_TYPE)
    rt_die("heddle: %s:%u: there is no type of suppressions \"%.*s\": " SUPPRESS_TYPES " are\n", file, line, (int)p.type_length, p.type);
  struct suppression *s = rt_alloc(sizeof *s);
  if (!s) rt_die("heddle: no memory for suppressions\n");
  *s = (struct suppression){
      .type = copied(p.type, p.type_length), .pattern = copied(p.pattern, p.pattern_length), .file = file, .line = line};
  *last = s, last = &s->next;
}

void suppressions_add(const char *text, const char *from) {
  unsigned line = 1;
  const char *file = copied(from, rt_length(from));
  for (const char *end; *text; text = *end ? end + 1 : end) {
    for (end = text; *end && *end != '\n';) end++;
    add_line(text, end, file, line++);
  }
}

void suppressions_read(const char *file) {
  static struct rt_text text;
  text.count = 0;
  if (!rt_text_read(&text, file)) rt_die("heddle: cannot read suppressions from %s: %s\n", file, strerrordesc_np(errno));
  suppressions_add(text.data, file);
}

/* A finding that a suppression is compared with. */
struct comparing {
  const struct suppression *s;
  bool top_only, matches;
};

static bool frame_matches(const struct frame_name *n, void *data) {
  struct comparing *c = data;
  const char *pattern = c->s->pattern;
  c->matches = (n->function && suppress_matches(pattern, n->function)) || (n->file && suppress_matches(pattern, n->file)) ||
               (n->module && suppress_matches(pattern, n->module));
  return !c->matches && (n->runtime || !c->top_only);
}

static bool stack_matches(struct comparing *c, uint32_t site) {
  c->matches = false;
  stack_each(site, frame_matches, c);
  return c->matches;
}

static bool location_matches(const struct suppression *s, uintptr_t address) {
  struct location l = location_of(address, NULL);
  return l.kind == LOCATION_GLOBAL && (suppress_matches(s->pattern, l.name) || suppress_matches(s->pattern, l.module));
}

static bool locks_match(struct comparing *c, const struct finding_locks *held) {
  for (unsigned i = 0; i < held->count; i++)
    if (stack_matches(c, held->at[i].site)) return true;
  return false;
}

/* Everything that ThreadSanitizer looks at: the stacks, those of the threads' creation, and the variable's name. */
static bool matches(const struct suppression *s, const struct finding *f) {
  struct comparing c = {.s = s, .top_only = rt_equal(s->type, "race_top")};
  const char *type = finding_suppression(f->kind);
  if (!rt_equal(type, c.top_only ? "race" : s->type)) return false;
  if (c.top_only && !rt_equal(type, "race")) return false;
  for (unsigned i = 0; i < f->count; i++)
    if (stack_matches(&c, f->parts[i].site)) return true;
  if (c.top_only) return false;
  for (unsigned i = 0; i < f->count && f->kind == FINDING_DEADLOCK; i++)
    if (locks_match(&c, &f->parts[i].held)) return true;
  const struct thread_info *threads[THREADS];
  for (unsigned i = 0, n = finding_threads(f, threads, THREADS); i < n; i++)
    if (stack_matches(&c, threads[i]->site)) return true;
  return location_matches(s, f->location);
}

const struct suppression *suppression_of(const struct finding *f) {
  for (struct suppression *s = first; s; s = s->next)
    if (matches(s, f)) return s->count++, s;
  return NULL;
}

void suppressions_each(void (*f)(const struct suppression *, void *), void *data) {
  for (const struct suppression *s = first; s; s = s->next) f(s, data);
}

void suppressions_after_fork(void) {
  for (struct suppression *s = first; s; s = s->next) s->count = 0;
}
