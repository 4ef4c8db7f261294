#include "report/predicted.h"

#include <inttypes.h>
#include <string.h>

#include "report/recorded_place.h"
#include "report/sources.h"
#include "report/style.h"
#include "report/suppressions.h"
#include "trace/recorded.h"

enum { COLUMN = 26, COLUMNS_MOST = 4 };

static const char *const statuses[] = {"proven", "claimed", "undecided"};

void predicted_release(struct predicted_report *r) {
  for (size_t i = 0; i < r->findings.count; i++) text_release(&r->findings.data[i].file), text_release(&r->findings.data[i].how);
  vec_release(&r->findings);
  vec_release(&r->events);
  text_release(&r->counts);
}

const char *predicted_role(uint8_t op) {
  switch (op) {
    case EVENT_READ:
      return "reads";
    case EVENT_WRITE:
      return "writes";
    case EVENT_RMW:
      return "changes";
    case EVENT_ACQUIRE:
      return "locks";
    case EVENT_RELEASE:
      return "unlocks";
    case EVENT_FORK:
      return "starts a thread";
    case EVENT_JOIN:
      return "joins a thread";
    case EVENT_WAIT_ENTER:
      return "waits";
    case EVENT_WAIT_LEAVE:
      return "wakes up";
    case EVENT_SIGNAL:
    case EVENT_BROADCAST:
      return "notifies";
    case EVENT_FREE:
      return "frees";
    case EVENT_ALLOC:
      return "allocates";
    case RECORDED_BRANCH:
      return "decides";
    default:
      return recorded_op_text(op);
  }
}

static void put_event(const struct predicted_event *e, const struct recorded_names *names, struct sources *sources,
                      const struct style *style, struct text *out) {
  struct text line = {0};
  text_puts(out, "  thread ");
  recorded_thread_text(names, e->thread, out);
  text_printf(out, " %.*s at ", (int)e->role_length, e->role);
  recorded_place_text(names, e->site, out);
  recorded_place_line(names, e->site, sources, &line);
  if (line.count) {
    text_puts(out, ": ");
    style_put(style, INK_CODE, text_str(&line), out);
  }
  text_putc(out, '\n');
  text_release(&line);
}

/* The locks that its thread holds at the finding's `k`-th event. */
static void put_locks(const struct predicted_report *r, const struct predicted *f, uint32_t k, const struct recorded_names *names,
                      struct text *out) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < f->locks; i++) {
    const struct predicted_event *lock = &r->events.data[f->lock + i];
    if (lock->of != k) continue;
    text_puts(out, n++ ? ", and " : "    holding ");
    if (lock->site)
      text_puts(out, "what it locked at "), recorded_place_text(names, lock->site, out);
    else
      text_puts(out, "a lock");
  }
  if (n) text_putc(out, '\n');
}

/* Steps that are told as one: of one thread, at one line. */
static bool same_moment(const struct predicted_event *a, const struct predicted_event *b, const struct recorded_names *names) {
  struct place p = recorded_place(names, a->site), q = recorded_place(names, b->site);
  return a->thread == b->thread && (a->site == b->site || (p.line && place_same_line(&p, &q)));
}

/* The column of a thread, in the order in which they come; COLUMNS_MOST if there are too many. */
static unsigned column_of(uint32_t *threads, unsigned *n, uint32_t thread) {
  for (unsigned i = 0; i < *n; i++)
    if (threads[i] == thread) return i;
  if (*n == COLUMNS_MOST) return COLUMNS_MOST;
  threads[*n] = thread;
  return (*n)++;
}

static void put_moment(const struct predicted_event *e, const struct predicted_event *last, const struct recorded_names *names,
                       unsigned column, struct sources *sources, const struct style *style, struct text *out) {
  struct text line = {0};
  struct place p = recorded_place(names, e->site);
  text_printf(out, "    %*s", (int)(column * COLUMN), "");
  if (column == COLUMNS_MOST) text_puts(out, "thread "), recorded_thread_text(names, e->thread, out), text_puts(out, ": ");
  if (*p.file || *p.function)
    place_short_text(&p, out);
  else if (p.line)
    text_printf(out, "place %" PRIu32, p.line);
  else
    text_puts(out, "(place not known)");
  text_putc(out, ' ');
  recorded_place_line(names, e->site, sources, &line);
  if (line.count)
    style_put(style, INK_CODE, text_str(&line), out);
  else
    text_puts(out, predicted_role(last->op));
  text_putc(out, '\n');
  text_release(&line);
}

/* Not done by the program's own code. */
static bool is_beside(const struct predicted_event *e) {
  return e->site == 0 && (e->op == EVENT_BEGIN || e->op == EVENT_ALLOC || e->op == RECORDED_INITIAL);
}

static void put_witness(const struct predicted_report *r, const struct predicted *f, const struct recorded_names *names,
                        struct sources *sources, const struct style *style, struct text *out) {
  VEC(uint32_t) moments = {0}; /* first steps */
  const struct predicted_event *steps = r->events.data + f->step;
  uint32_t threads[COLUMNS_MOST];
  unsigned n = 0;
  for (uint32_t i = 0; i < f->steps; i++)
    if (!is_beside(&steps[i]) && (moments.count == 0 || !same_moment(&steps[vec_last(&moments)], &steps[i], names)))
      *vec_push(&moments) = i;
  size_t from = r->most_steps && moments.count > r->most_steps ? moments.count - r->most_steps : 0;
  text_puts(out, "  how");
  if (f->from) text_printf(out, ", behind the run's first %" PRIu64 " events", f->from);
  text_puts(out, f->steps ? ":\n" : ": at once\n");
  for (size_t i = from; i < moments.count; i++) (void)column_of(threads, &n, steps[moments.data[i]].thread);
  text_puts(out, "    ");
  for (unsigned i = 0; i < n && f->steps; i++) {
    struct text head = {0};
    text_puts(&head, "thread "), recorded_thread_text(names, threads[i], &head);
    text_printf(out, i + 1 < n ? "%-*s" : "%.0d%s", i + 1 < n ? COLUMN : 0, text_str(&head));
    text_release(&head);
  }
  if (f->steps) text_putc(out, '\n');
  if (from) text_printf(out, "    (%zu places before)\n", from);
  for (size_t i = from; i < moments.count; i++) {
    uint32_t first = moments.data[i], last = i + 1 < moments.count ? moments.data[i + 1] - 1 : f->steps - 1;
    put_moment(&steps[first], &steps[last], names, column_of(threads, &n, steps[first].thread), sources, style, out);
  }
  vec_release(&moments);
}

static void put_shown(const struct predicted *f, struct text *out) {
  static const char *const words[] = {"no witness", "confirmed", "not confirmed"};
  if (f->how.count) text_printf(out, "  %s: %s\n", words[f->shown], text_str(&f->how));
  if (f->file.count) text_printf(out, "  witness: %s\n", text_str(&f->file));
}

void predicted_text(const struct predicted_report *r, const struct recorded_names *names, const struct style *style, struct text *out) {
  static const char *const notes[] = {"", " (unconfirmed)", " (undecided)"};
  struct sources sources = {0};
  for (size_t i = 0; i < r->findings.count; i++) {
    const struct predicted *f = &r->findings.data[i];
    style_printf(style, f->status == PREDICTED_UNDECIDED ? INK_WARNING : INK_HEADLINE, out, "%.*s%s", (int)f->kind_length, f->kind,
                 notes[f->status]);
    text_printf(out, ", found by %s\n", f->analysis);
    for (uint32_t k = 0; k < f->events; k++) {
      put_event(&r->events.data[f->event + k], names, &sources, style, out);
      put_locks(r, f, k, names, out);
    }
    if (f->why) text_printf(out, "  %s: %s\n", f->status == PREDICTED_UNDECIDED ? "undecided" : "why", f->why);
    if (f->has_witness) put_witness(r, f, names, &sources, style, out);
    put_shown(f, out);
    text_putc(out, '\n');
  }
  text_puts(out, text_str(&r->counts));
  sources_release(&sources);
}

/* All but the end of the object. */
static void json_open_event(const struct predicted_event *e, const struct recorded_names *names, struct text *out) {
  struct text thread = {0}, role = {0};
  struct place p = recorded_place(names, e->site);
  recorded_thread_text(names, e->thread, &thread);
  text_append(&role, e->role, e->role_length);
  text_puts(out, "{\"thread\":"), text_json_string(out, text_str(&thread));
  text_puts(out, ",\"op\":"), text_json_string(out, recorded_op_text(e->op));
  text_puts(out, ",\"role\":"), text_json_string(out, text_str(&role));
  text_puts(out, ",\"file\":"), text_json_string(out, p.file);
  text_puts(out, ",\"function\":"), text_json_string(out, p.function);
  text_printf(out, ",\"line\":%" PRIu32 ",\"column\":%" PRIu32, p.line, p.column);
  text_release(&thread);
  text_release(&role);
}

void predicted_event_json(const struct predicted_event *e, const struct recorded_names *names, struct text *out) {
  json_open_event(e, names, out);
  text_putc(out, '}');
}

/* The finding's events, with the locks that are held at each. */
static void json_finding_events(const struct predicted_report *r, const struct predicted *f, const struct recorded_names *names,
                                struct text *out) {
  text_putc(out, '[');
  for (uint32_t k = 0; k < f->events; k++) {
    if (k) text_putc(out, ',');
    json_open_event(&r->events.data[f->event + k], names, out);
    bool any = false;
    if (f->knows_locks) text_puts(out, ",\"locks\":[");
    for (uint32_t i = 0; i < f->locks; i++) {
      if (r->events.data[f->lock + i].of != k) continue;
      if (any) text_putc(out, ',');
      predicted_event_json(&r->events.data[f->lock + i], names, out);
      any = true;
    }
    text_puts(out, f->knows_locks ? "]}" : "}");
  }
  text_putc(out, ']');
}

static void json_events(const struct predicted_report *r, uint32_t first, uint32_t n, const struct recorded_names *names,
                        struct text *out) {
  text_putc(out, '[');
  for (uint32_t i = 0; i < n; i++) {
    if (i) text_putc(out, ',');
    predicted_event_json(&r->events.data[first + i], names, out);
  }
  text_putc(out, ']');
}

/* Each line as a string. */
static void json_lines(const char *at, struct text *out) {
  for (bool any = false; *at; any = true) {
    struct text line = {0};
    at += strspn(at, " ");
    size_t n = strcspn(at, "\n");
    text_append(&line, at, n);
    text_puts(out, any ? "," : ""), text_json_string(out, text_str(&line));
    text_release(&line);
    at += n + (at[n] == '\n');
  }
}

void predicted_json(const struct predicted_report *r, const struct recorded_names *names, const struct suppressions *suppressions,
                    struct text *out) {
  text_puts(out, "{\"verdict\":"), text_json_string(out, r->verdict);
  text_puts(out, ",\"findings\":[");
  for (size_t i = 0; i < r->findings.count; i++) {
    const struct predicted *f = &r->findings.data[i];
    struct text kind = {0};
    text_append(&kind, f->kind, f->kind_length);
    text_puts(out, i ? ",\n{\"kind\":" : "\n{\"kind\":"), text_json_string(out, text_str(&kind));
    text_puts(out, ",\"analysis\":"), text_json_string(out, f->analysis);
    text_printf(out, ",\"status\":\"%s\",\"events\":", statuses[f->status]);
    json_finding_events(r, f, names, out);
    if (f->why) text_puts(out, ",\"why\":"), text_json_string(out, f->why);
    if (f->shown) text_printf(out, ",\"confirmed\":%s", f->shown == PREDICTED_CONFIRMED ? "true" : "false");
    if (f->how.count) text_puts(out, ",\"confirmation\":"), text_json_string(out, text_str(&f->how));
    if (f->file.count) text_puts(out, ",\"file\":"), text_json_string(out, text_str(&f->file));
    if (f->has_witness) {
      text_printf(out, ",\"witness\":{\"from\":%" PRIu64 ",\"steps\":", f->from);
      json_events(r, f->step, f->steps, names, out);
      text_putc(out, '}');
    }
    text_putc(out, '}');
    text_release(&kind);
  }
  text_printf(out, "\n],\"suppressed\":%" PRIu64 ",\"suppressions\":", suppressions->count);
  suppressions_json(suppressions, out);
  text_puts(out, ",\n\"notes\":[");
  json_lines(text_str(&r->counts), out);
  text_puts(out, "]}\n");
}
