#include "cli/explain.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cli/console.h"
#include "cli/options.h"
#include "predict/recorded/explain.h"
#include "predict/recorded/question.h"
#include "report/predicted.h"
#include "report/recorded_place.h"
#include "report/style.h"
#include "report/why.h"

/* "FILE:LINE"; "LINE" or "FILE" of texts that have no more. */
static bool read_line(const char *at, size_t n, struct explain_line *l) {
  size_t digits = 0;
  while (digits < n && digits < 9 && at[n - 1 - digits] >= '0' && at[n - 1 - digits] <= '9') digits++;
  bool whole = digits == n, numbered = digits > 0 && (whole || at[n - 1 - digits] == ':');
  *l = (struct explain_line){.file = at, .length = (uint32_t)n};
  if (numbered) {
    for (size_t i = n - digits; i < n; i++) l->line = 10 * l->line + (uint32_t)(at[i] - '0');
    l->length = whole ? 0 : (uint32_t)(n - digits - 1);
    if (l->length == 0) l->file = NULL;
  }
  return n > 0 && (l->length > 0 || l->line > 0);
}

static enum err read_pair(const char *pair, struct explain_line lines[2], struct diag *d) {
  const char *comma = strchr(pair, ',');
  if (comma && read_line(pair, (size_t)(comma - pair), &lines[0]) && read_line(comma + 1, strlen(comma + 1), &lines[1])) return ERR_NONE;
  diag_set(d, ERR_USAGE, "--explain takes FILE:LINE,FILE:LINE, not \"%s\"", pair);
  return ERR_USAGE;
}

static void add_step(struct predicted_report *r, const struct recorded_step *e) {
  const char *role = predicted_role(e->op);
  *vec_push(&r->events) =
      (struct predicted_event){.thread = e->thread, .site = e->site, .op = e->op, .role = role, .role_length = (uint32_t)strlen(role)};
}

/* The race as `heddle predict` reports it. */
static void add_race(const struct explanation *x, struct predicted_report *r) {
  static const char kind[] = "data-race";
  add_step(r, &x->events.data[x->first]), add_step(r, &x->events.data[x->second]);
  for (uint32_t i = 0; i < x->steps; i++) add_step(r, &x->events.data[x->step + i]);
  *vec_push(&r->findings) = (struct predicted){.analysis = "maximal",
                                               .kind = kind,
                                               .kind_length = sizeof kind - 1,
                                               .status = x->claimed ? PREDICTED_CLAIMED : PREDICTED_PROVEN,
                                               .why = x->claimed,
                                               .from = x->from,
                                               .has_witness = true,
                                               .events = 2,
                                               .step = 2,
                                               .steps = x->steps};
}

static void report(const struct options *o, const struct explain_options *e, const struct explanation *x,
                   const struct recorded_names *names, struct text *out) {
  struct style style = style_for(STDOUT_FILENO, false);
  struct predicted_report r = {.most_steps = o->steps};
  why_text(x, e, names, &style, out);
  if (x->verdict == EXPLAIN_RACE) {
    add_race(x, &r);
    predicted_text(&r, names, &style, out);
  }
  predicted_release(&r);
}

enum err explain_pair(const struct options *o, bool json, struct text *out, int *code, struct diag *d) {
  struct explain_options e = {.window = (uint32_t)o->window, .budget = o->budget};
  struct explanation x = {0};
  struct recorded_stream *s = NULL;
  enum err error = read_pair(o->explain, e.lines, d);
  if (!error) error = recorded_open(o->programs.data[0], &s, d);
  if (!error) error = explain_run(&e, s, &x);
  if (!error && json) why_json(&x, &e, s->names, out);
  if (!error && !json) report(o, &e, &x, s->names, out);
  bool complete = x.verdict != EXPLAIN_UNDECIDED && x.verdict != EXPLAIN_NOTHING && x.verdict != EXPLAIN_APART;
  if (!error && (s->missing || s->unordered)) {
    complete = false;
    if (!json) text_puts(out, "parts of the trace are missing or have no order: what is said is about the rest\n");
  }
  *code = x.verdict == EXPLAIN_RACE ? EXIT_BUG : complete ? EXIT_SAFE : EXIT_BOUNDED;
  recorded_close(s);
  explanation_release(&x);
  return error;
}
