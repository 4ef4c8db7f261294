/* The report for tools. Its keys are an interface: heddle-check(1) lists them. */
#include <inttypes.h>

#include "report/place.h"
#include "report/report.h"

static void key(struct text *out, const char *name) {
  text_json_string(out, name);
  text_puts(out, ": ");
}

static void string(struct text *out, const char *name, const char *value) {
  key(out, name);
  text_json_string(out, value);
}

static void site_json(const struct schedule_file *f, const struct schedule_site *s, struct text *out) {
  struct text file = {0};
  place_file_text(schedule_string(f, s->file), &file);
  text_puts(out, "{");
  string(out, "thread", schedule_string(f, s->thread));
  text_puts(out, ", ");
  string(out, "file", text_str(&file));
  text_printf(out, ", \"line\": %u, \"column\": %u, ", s->line, s->column);
  string(out, "function", schedule_string(f, s->function));
  text_puts(out, ", ");
  string(out, "access", schedule_string(f, s->role));
  text_puts(out, "}");
  text_release(&file);
}

/* Kind, message, sites. */
static void places_json(const struct schedule_file *f, struct text *out) {
  string(out, "kind", finding_kind_text(f->kind));
  text_puts(out, ", ");
  string(out, "message", schedule_string(f, f->message));
  text_puts(out, ", ");
  key(out, "sites");
  text_puts(out, "[");
  for (size_t i = 0; i < f->sites.count; i++) {
    if (i) text_puts(out, ", ");
    site_json(f, &f->sites.data[i], out);
  }
  text_puts(out, "]");
}

/* What hd_symbolic() gave; the bytes as pairs of hexadecimal digits. */
static void data_json(const struct schedule_file *f, struct text *out) {
  text_puts(out, ", ");
  key(out, "inputs");
  text_puts(out, "[");
  for (size_t i = 0; i < f->data.count; i++) {
    const struct schedule_data *data = &f->data.data[i];
    text_puts(out, i ? ", {" : "{");
    string(out, "thread", schedule_string(f, data->thread));
    text_printf(out, ", \"number\": %u, ", data->number);
    string(out, "name", schedule_string(f, data->name));
    text_puts(out, ", ");
    string(out, "bytes", schedule_string(f, data->bytes));
    text_puts(out, "}");
  }
  text_puts(out, "]");
}

static void finding_json(const struct report_finding *finding, struct text *out) {
  text_puts(out, "{");
  places_json(&finding->schedule, out);
  text_puts(out, ", ");
  key(out, "schedule");
  if (finding->path.count)
    text_json_string(out, text_str(&finding->path));
  else
    text_puts(out, "null");
  if (finding->schedule.scenarios.count) {
    text_puts(out, ", ");
    string(out, "scenario", schedule_string(&finding->schedule, finding->schedule.scenarios.data[0]));
  }
  if (finding->schedule.data.count) data_json(&finding->schedule, out);
  text_printf(out, ", \"confirmed\": %s", finding->confirmed ? "true" : "false");
  for (size_t i = 0; i < finding->also.count; i++) {
    text_puts(out, i ? ",\n    {" : ", \"also\": [\n    {");
    places_json(&finding->also.data[i], out);
    text_puts(out, "}");
  }
  text_puts(out, finding->also.count ? "]}" : "}");
}

static void strings_json(const char *name, const struct text *strings, size_t n, struct text *out) {
  text_puts(out, ",\n ");
  key(out, name);
  text_puts(out, "[");
  for (size_t i = 0; i < n; i++) {
    if (i) text_puts(out, ", ");
    text_json_string(out, text_str(&strings[i]));
  }
  text_puts(out, "]");
}

/* The kinds that were asked for, and how many findings there are of others, by kind. */
static void ignored_json(const struct report *r, struct text *out) {
  const char *separator = "";
  text_puts(out, ",\n ");
  key(out, "asked");
  text_puts(out, "[");
  for (unsigned k = 0; k < FINDING_COUNT; k++) {
    if (r->ignored_kinds >> k & 1) continue;
    text_puts(out, separator);
    text_json_string(out, finding_kind_text((enum finding_kind)k));
    separator = ", ";
  }
  text_puts(out, "], ");
  key(out, "ignored");
  text_puts(out, "{");
  separator = "";
  for (unsigned k = 0; k < FINDING_COUNT; k++) {
    if (!r->ignored[k]) continue;
    text_puts(out, separator);
    key(out, finding_kind_text((enum finding_kind)k));
    text_printf(out, "%u", r->ignored[k]);
    separator = ", ";
  }
  text_puts(out, "}");
}

/* By order, the places where it was weaker than what was explored. */
static void orders_json(const struct report *r, struct text *out) {
  text_puts(out, ",\n ");
  key(out, "weak_orders");
  text_puts(out, "{");
  for (size_t i = 0; i < r->orders.count; i++) {
    const struct remark_places *places = &r->orders.data[i].places;
    text_puts(out, i ? ", " : "");
    key(out, r->orders.data[i].order);
    text_puts(out, "[");
    for (size_t k = 0; k < places->at.count; k++) {
      text_puts(out, k ? ", " : "");
      text_json_string(out, text_str(&places->at.data[k]));
    }
    text_puts(out, "]");
  }
  text_puts(out, "}");
}

static void outcomes_json(const struct report *r, struct text *out) {
  text_puts(out, ",\n ");
  key(out, "outcomes");
  text_puts(out, "[");
  for (size_t i = 0; i < r->outcomes.count; i++) {
    text_puts(out, i ? ", {" : "{");
    string(out, "text", text_str(&r->outcomes.data[i].text));
    text_printf(out, ", \"count\": %" PRIu64 "}", r->outcomes.data[i].count);
  }
  text_puts(out, "]");
}

static void counters_json(const struct report *r, struct text *out) {
  text_puts(out, ",\n ");
  key(out, "counters");
  text_puts(out, "{");
  for (size_t i = 0; i < r->counter_count; i++) {
    if (i) text_puts(out, ", ");
    key(out, r->counters[i].name);
    report_counter(&r->counters[i], out);
  }
  text_puts(out, "}");
}

void report_as_json(struct report *r, const struct style *style, struct text *out) {
  (void)style;
  text_puts(out, "{");
  string(out, "verdict", verdict_text(r->verdict));
  text_puts(out, ", ");
  string(out, "memory", r->memory);
  text_puts(out, ", ");
  string(out, "strategy", r->strategy);
  text_printf(out, ", \"executions\": %" PRIu64 ", \"blocked\": %" PRIu64 ", \"seconds\": %.3f,\n ", r->executions, r->blocked + r->assumed,
              r->seconds);
  key(out, "findings");
  text_puts(out, "[");
  for (size_t i = 0; i < r->findings.count; i++) {
    text_puts(out, i ? ",\n  " : "\n  ");
    finding_json(&r->findings.data[i], out);
  }
  text_puts(out, "]");
  if (r->ignored_kinds) ignored_json(r, out);
  if (r->property) {
    text_puts(out, ",\n ");
    string(out, "property", r->property);
    text_puts(out, ", ");
    string(out, "result", text_str(&r->result));
  }
  if (r->verdict == VERDICT_SAFE && r->claim.count) {
    text_puts(out, ",\n ");
    string(out, "claim", text_str(&r->claim));
  }
  strings_json("uncovered", r->uncovered.data, r->uncovered.count, out);
  strings_json("notes", r->notes.data, r->notes.count, out);
  if (r->orders.count) orders_json(r, out);
  if (r->outcomes.count) outcomes_json(r, out);
  if (r->counter_count) counters_json(r, out);
  text_puts(out, "}\n");
}
