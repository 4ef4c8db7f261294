/* The report for people. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
#include "objects/history.h"
#include "report/columns.h"
#include "report/explain.h"
#include "report/report.h"
#include "report/sources.h"
#include "report/style.h"
#include "report/witness.h"

/* Findings of the same defect that are listed; --full lists all. */
#define ALSO_MOST   10u
#define ORDERS_MOST 12u

struct page {
  const struct style *style;
  struct sources sources;
  struct text *out;
};

static void heading(struct page *p, const char *title) {
  text_puts(p->out, "\n");
  style_printf(p->style, INK_STRONG, p->out, "%s", title);
  text_puts(p->out, "\n");
}

/* A role that says no more than that it is here. */
static const char *role_of(const struct finding_site *site) { return strcmp(site->role, "call") == 0 ? "at" : site->role; }

/* "  write    bank.c:12:3 in deposit, thread 0.1", the line, and who called. */
static void site_text(struct page *p, const struct witness *w, size_t i, int width) {
  const struct finding_site *site = &w->finding.sites.data[i];
  const struct place *place = &w->places.data[i];
  struct text t = {0};
  place_text(place, &t);
  text_printf(p->out, "  %-*s ", width, role_of(site));
  style_put(p->style, INK_STRONG, text_str(&t), p->out);
  if (place->function[0] && place->line) text_printf(p->out, " in %s", place->function);
  text_printf(p->out, ", thread %s\n", machine_thread_name(w->replayer.m, site->thread));
  text_clear(&t);
  sources_line(&p->sources, place->file, place->line, &t);
  if (t.count) {
    text_printf(p->out, "  %*s   ", width, "");
    style_put(p->style, INK_CODE, text_str(&t), p->out);
    text_puts(p->out, "\n");
  }
  text_release(&t);
}

/* The call stack of a site, if a call other than the thread's first leads there. */
static void stack_text(struct page *p, const struct witness *w, size_t i, int width) {
  const struct image *image = w->replayer.image;
  const struct moment *moment = &w->stacks.data[i];
  bool below = false;
  for (uint32_t k = 0; k < moment->nstack; k++) {
    uint32_t site = w->timeline.stacks.data[moment->stack + k];
    struct place place = place_of_site(image, site);
    bool model = site < image->nsites && image->functions[image->sites[site].function].flags & FUNCTION_MODEL;
    if (below && !model) {
      text_printf(p->out, "  %*s   called from ", width, "");
      place_text(&place, p->out);
      if (place.line) text_printf(p->out, " in %s", place.function);
      text_puts(p->out, "\n");
    }
    if (place_same_line(&place, &w->places.data[i])) below = true;
  }
}

static void sites_text(struct page *p, const struct witness *w) {
  int width = 0;
  for (size_t i = 0; i < w->finding.sites.count; i++) {
    int n = (int)strlen(role_of(&w->finding.sites.data[i]));
    if (n > width) width = n;
  }
  for (size_t i = 0; i < w->finding.sites.count; i++) {
    site_text(p, w, i, width);
    stack_text(p, w, i, width);
  }
}

static void why_text(struct page *p, struct witness *w) {
  struct text why = {0};
  explain_text(&w->timeline.names, w, &why);
  if (why.count) heading(p, "why");
  for (const char *line = text_str(&why); *line;) {
    size_t n = strcspn(line, "\n");
    text_puts(p->out, "  ");
    text_append(p->out, line, n);
    text_puts(p->out, "\n");
    line += n + (line[n] == '\n');
  }
  text_release(&why);
}

/* What the threads did with an object, and why no order of that gives the same. */
static void history_text(struct page *p, const struct witness *w) {
  const struct machine *m = w->replayer.m;
  const struct history *h = machine_history(m);
  size_t n;
  const struct history_event *events = machine_operations(m, &n);
  if (n == 0 || machine_options(m)->repeats) return;
  const struct scenario *s = machine_options(m)->scenario;
  struct object object = {0};
  struct text orders = {0};
  const char *names[SCENARIO_THREADS];
  image_object(machine_image(m), &object);
  for (uint32_t t = 0; t < s->threads; t++) {
    uint32_t tid = machine_scenario_thread(m, t);
    names[t] = tid < THREADS_MAX ? machine_thread_name(m, tid) : "-";
  }
  heading(p, "operations");
  history_table(&object, s, events, n, names, p->out);
  if (w->finding.kind == FINDING_NOT_LINEARIZABLE) history_orders(h, &object, events, n, names, ORDERS_MOST, &orders);
  if (orders.count) {
    heading(p, "orders of them, as far as they give these results, and what would come next");
    text_puts(p->out, text_str(&orders));
  }
  text_release(&orders);
  vec_release(&object.operations);
}

static void interleaving_text(struct page *p, const struct witness *w) {
  const struct timeline *t = &w->timeline;
  struct text title = {0};
  text_printf(&title, "interleaving: %" PRIu64 " step%s, %" PRIu64 " context switch%s; > marks what the finding is about", t->steps,
              t->steps == 1 ? "" : "s", t->switches, t->switches == 1 ? "" : "es");
  heading(p, text_str(&title));
  text_release(&title);
  columns_text(t, w->replayer.m, &p->sources, p->style, p->out);
}

static void legend_text(struct page *p, const struct names *names) {
  if (names->blocks.count) text_puts(p->out, "\n");
  names_legend(names, p->out);
}

/* What the program wrote, line by line behind a bar; bytes that a terminal would obey are shown as "?". */
static void output_text(struct page *p, const char *title, const struct text *output) {
  if (!output || output->count == 0) return;
  heading(p, title);
  bool start = true;
  for (size_t i = 0; i < output->count; i++) {
    unsigned char c = (unsigned char)output->data[i];
    if (start) text_puts(p->out, "  | ");
    start = c == '\n';
    text_putc(p->out, c == '\n' || c == '\t' || (c >= 0x20 && c != 0x7f) ? (char)c : '?');
  }
  if (!start) text_puts(p->out, "\n");
}

static enum report_shown how_shown(enum err e, const struct witness *w, const struct schedule_file *f, struct diag *d) {
  if (e) return REPORT_DIVERGED;
  if (w->shown) return REPORT_SHOWN;
  diag_set(d, ERR_NONE, "the schedule runs to its end, but the program does not show the finding: %s: %s", finding_kind_text(f->kind),
           schedule_string(f, f->message));
  if (w->left) diag_hint(d, "threads can go round in this circle for ever, but a schedule leads out of it, so it is no livelock");
  return REPORT_GONE;
}

static void headline(struct page *p, const struct schedule_file *f) {
  style_printf(p->style, INK_HEADLINE, p->out, "%s:", finding_kind_text(f->kind));
  text_putc(p->out, ' ');
  style_put(p->style, INK_STRONG, schedule_string(f, f->message), p->out);
  text_puts(p->out, "\n");
}

/* What hd_symbolic() gave. */
static void data_text(struct page *p, const struct schedule_file *f) {
  for (size_t i = 0; i < f->data.count; i++) {
    text_puts(p->out, "  input: ");
    schedule_data_text(f, &f->data.data[i], p->out);
    text_putc(p->out, '\n');
  }
}

enum report_shown report_confirm(struct machine *m, const struct image *image, struct report_finding *finding, const struct finding *wanted,
                                 struct diag *d) {
  struct witness w;
  enum report_shown shown = how_shown(witness_make(&w, m, image, &finding->schedule, wanted, d), &w, &finding->schedule, d);
  finding->confirmed = shown == REPORT_SHOWN;
  if (finding->confirmed) witness_describe(&w, &finding->schedule);
  witness_release(&w);
  return shown;
}

enum report_shown report_finding_text(struct machine *m, const struct image *image, const struct report_finding *finding,
                                      const struct style *style, struct text *out, struct diag *d) {
  struct page p = {.style = style, .out = out};
  struct witness w;
  enum report_shown shown = how_shown(witness_make(&w, m, image, &finding->schedule, NULL, d), &w, &finding->schedule, d);
  headline(&p, &finding->schedule);
  data_text(&p, &finding->schedule);
  if (shown == REPORT_SHOWN) {
    sites_text(&p, &w);
    history_text(&p, &w);
    why_text(&p, &w);
  }
  timeline_focus(&w.timeline, &w.replayer, shown == REPORT_SHOWN ? &w.finding : NULL, style->full);
  interleaving_text(&p, &w);
  legend_text(&p, &w.timeline.names);
  output_text(&p, "output", machine_output(m, 1));
  output_text(&p, "standard error", machine_output(m, 2));
  if (finding->path.count) {
    heading(&p, "replay");
    text_printf(out, "  heddle replay %s%s\n", finding->needs_trust ? "--trust " : "", text_str(&finding->path));
  }
  witness_release(&w);
  sources_release(&p.sources);
  return shown;
}

/* --- findings that are told by their places --- */

/* "data-race: write and read of x are not ordered (a.c:5:3 in f, a.c:9:3 in g)" */
static void places_text(const struct schedule_file *f, struct text *out) {
  text_printf(out, "  %s: %s", finding_kind_text(f->kind), schedule_string(f, f->message));
  for (size_t i = 0; i < f->sites.count && i < 2; i++) {
    const struct schedule_site *s = &f->sites.data[i];
    struct place place = {
        .file = schedule_string(f, s->file), .function = schedule_string(f, s->function), .line = s->line, .column = s->column};
    text_puts(out, i ? ", " : " (");
    place_text(&place, out);
    if (place.line && place.function[0]) text_printf(out, " in %s", place.function);
  }
  text_puts(out, f->sites.count ? ")\n" : "\n");
}

/* The same defect, elsewhere. */
static void also_text(const struct report_finding *f, const struct style *style, struct text *out) {
  if (f->also.count == 0) return;
  text_puts(out, "\n");
  style_printf(style, INK_STRONG, out, "also seen");
  text_puts(out, ", most likely for the same reason\n");
  for (size_t i = 0; i < f->also.count && (i < ALSO_MOST || style->full); i++) places_text(&f->also.data[i], out);
  if (f->also.count > ALSO_MOST && !style->full) text_printf(out, "  and %zu more (--full, --json)\n", f->also.count - ALSO_MOST);
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* "3, 5 to 9" */
static void lines_text(uint32_t *lines, size_t n, struct text *out) {
  qsort(lines, n, sizeof *lines, by_number);
  for (size_t i = 0, from = 0; i < n; i++) {
    bool goes_on = i + 1 < n && lines[i + 1] - lines[i] <= 1;
    if (goes_on) continue;
    text_printf(out, "%s%u", from ? ", " : " ", lines[from]);
    if (lines[i] > lines[from]) text_printf(out, lines[i] == lines[from] + 1 ? ", %u" : " to %u", lines[i]);
    from = i + 1;
  }
}

/* Those of one kind at lines of one file. */
struct brief_group {
  enum finding_kind kind;
  const char *file;
  size_t count;
  VEC(uint32_t) lines;
};
typedef VEC(struct brief_group) brief_groups;

static struct brief_group *group_of(brief_groups *all, enum finding_kind kind, const char *file) {
  for (struct brief_group *g = all->data; g < all->data + all->count; g++)
    if (g->kind == kind && strcmp(g->file, file) == 0) return g;
  struct brief_group *g = vec_push(all);
  *g = (struct brief_group){.kind = kind, .file = file};
  return g;
}

/* What there is beside the findings that were shown: how many of which kind, at which lines. */
static void brief_text(const struct report *r, struct text *out) {
  brief_groups groups = {0};
  for (size_t i = 0; i < r->findings.count; i++) {
    const struct schedule_file *f = &r->findings.data[i].schedule;
    if (!r->findings.data[i].is_brief) continue;
    const char *file = f->sites.count ? schedule_string(f, f->sites.data[0].file) : "";
    struct brief_group *g = group_of(&groups, f->kind, file);
    g->count++;
    for (size_t k = 0; k < f->sites.count && k < 2; k++) {
      const struct schedule_site *s = &f->sites.data[k];
      if (s->line && strcmp(schedule_string(f, s->file), file) == 0) *vec_push(&g->lines) = s->line;
    }
  }
  for (struct brief_group *g = groups.data; g < groups.data + groups.count; g++) {
    text_printf(out, "  %zu more: %s", g->count, finding_kind_text(g->kind));
    if (g->lines.count) {
      text_puts(out, " at ");
      place_file_text(g->file, out);
      text_puts(out, ":");
      lines_text(g->lines.data, g->lines.count, out);
    }
    text_puts(out, "\n");
    vec_release(&g->lines);
  }
  if (groups.count) text_puts(out, "  (--most=N shows N findings, --json has all)\n");
  vec_release(&groups);
}

static void verdict_line(const struct report *r, const struct style *style, struct text *out) {
  enum ink ink = r->verdict == VERDICT_SAFE ? INK_GOOD : r->verdict == VERDICT_BUG ? INK_HEADLINE : INK_WARNING;
  const char *asked = r->ignored_kinds ? " of the kinds asked for" : "";
  style_put(style, ink, verdict_text(r->verdict), out);
  if (r->findings.count)
    text_printf(out, ": %zu finding%s\n", r->findings.count, r->findings.count == 1 ? "" : "s");
  else if (r->verdict == VERDICT_SAFE && r->claim.count)
    text_printf(out, ": %s; no finding%s\n", text_str(&r->claim), asked);
  else if (r->verdict == VERDICT_SAFE)
    text_printf(out, ": every execution was explored, for these arguments and this input%s; no finding%s\n",
                r->all_inputs ? ", with all symbolic data" : "", asked);
  else
    text_printf(out, ": no finding%s so far, but not everything was explored\n", asked);
}

/* "ignored: 3 findings (abort: 1, leak: 2)" */
static void ignored_line(const struct report *r, struct text *out) {
  struct text kinds = {0};
  uint32_t n = 0;
  for (unsigned k = 0; r->ignored && k < FINDING_COUNT; k++) {
    if (r->ignored[k]) text_printf(&kinds, "%s%s: %u", n ? ", " : "", finding_kind_text((enum finding_kind)k), r->ignored[k]);
    n += r->ignored[k];
  }
  if (n) text_printf(out, "  ignored: %u finding%s (%s)\n", n, n == 1 ? "" : "s", text_str(&kinds));
  text_release(&kinds);
}

/* A bug is one whatever else there may be. */
static void orders_line(const struct report *r, struct text *out) {
  struct text line = {0};
  if (r->verdict != VERDICT_BUG) remarks_orders_text(r, &line);
  if (line.count) text_printf(out, "  %s\n", text_str(&line));
  text_release(&line);
}

static void verdict_block(const struct report *r, const struct style *style, struct text *out) {
  verdict_line(r, style, out);
  for (size_t i = 0; i < r->findings.count; i++) {
    const struct report_finding *f = &r->findings.data[i];
    if (f->is_brief) continue;
    text_printf(out, "  %s: %s", finding_kind_text(f->schedule.kind), schedule_string(&f->schedule, f->schedule.message));
    if (f->path.count) text_printf(out, " (%s)", text_str(&f->path));
    if (f->also.count) text_printf(out, ", and %zu more of the same", f->also.count);
    text_puts(out, "\n");
  }
  brief_text(r, out);
  ignored_line(r, out);
  for (size_t i = 0; i < r->uncovered.count; i++) text_printf(out, "  not covered: %s\n", text_str(&r->uncovered.data[i]));
  for (size_t i = 0; i < r->notes.count; i++) text_printf(out, "  %s\n", text_str(&r->notes.data[i]));
  orders_line(r, out);
  text_printf(out, "  %" PRIu64 " execution%s", r->executions, r->executions == 1 ? "" : "s");
  if (r->blocked) text_printf(out, ", %" PRIu64 " more given up (%s)", r->blocked, r->given_up ? r->given_up : "redundant");
  if (r->assumed) text_printf(out, ", %" PRIu64 " more ended by an assumption", r->assumed);
  text_printf(out, ", %.2f s, memory model %s, strategy %s\n", r->seconds, r->memory, r->strategy);
  if (r->property) text_printf(out, "  %s: %s\n", r->property, text_str(&r->result));
}

/* "outcome: 12 x exit 0, output" and the output's lines. */
static void outcome_text(const struct report_outcome *outcome, struct text *out) {
  const char *s = text_str(&outcome->text);
  size_t first = strcspn(s, "\n");
  text_printf(out, "outcome: %" PRIu64 " x %.*s\n", outcome->count, (int)first, s);
  for (s += first + (s[first] == '\n'); *s; s += strcspn(s, "\n"), s += *s == '\n')
    text_printf(out, "  | %.*s\n", (int)strcspn(s, "\n"), s);
}

/* A finding whose schedule was not run again, for lack of time. */
static void unshown_text(const struct report_finding *f, const struct style *style, struct text *out) {
  struct page p = {.style = style, .out = out};
  headline(&p, &f->schedule);
  places_text(&f->schedule, out);
  text_puts(out, "\nThere was no time left to run its schedule again.\n");
  also_text(f, style, out);
  text_puts(out, "\n");
}

void report_as_text(struct report *r, const struct style *style, struct text *out) {
  for (size_t i = 0; i < r->findings.count; i++) {
    struct diag d = {0};
    struct report_finding *f = &r->findings.data[i];
    if (f->is_brief) continue;
    if (!f->is_recorded) {
      unshown_text(f, style, out);
      diag_release(&d);
      continue;
    }
    if (report_finding_text(r->m, r->image, f, style, out, &d) != REPORT_SHOWN) {
      f->confirmed = false;
      text_printf(out, "\nThis finding could not be confirmed by running its schedule again: %s\n", text_str(&d.message));
    }
    diag_release(&d);
    also_text(f, style, out);
    text_puts(out, "\n");
  }
  for (size_t i = 0; i < r->outcomes.count; i++) outcome_text(&r->outcomes.data[i], out);
  verdict_block(r, style, out);
}
