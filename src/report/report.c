#include "report/report.h"

#include <inttypes.h>
#include <string.h>

static const struct {
  const char *text;
  int code;
} verdicts[] = {
    [VERDICT_SAFE] = {"SAFE", 0},
    [VERDICT_BUG] = {"BUG", 1},
    [VERDICT_BOUNDED] = {"BOUNDED", 3},
};

const char *verdict_text(enum explore_verdict v) { return verdicts[v].text; }
int verdict_exit_code(enum explore_verdict v) { return verdicts[v].code; }

const struct report_format report_formats[] = {
    {"text", "for people: interleavings with source lines", report_as_text},
    {"json", "for tools: one object", report_as_json},
    {NULL, NULL, NULL},
};

const struct report_format *report_format_find(const char *name) {
  for (const struct report_format *f = report_formats; f->name; f++)
    if (strcmp(f->name, name) == 0) return f;
  return NULL;
}

void report_release(struct report *r) {
  for (size_t i = 0; i < r->findings.count; i++) {
    struct report_finding *f = &r->findings.data[i];
    schedule_file_release(&f->schedule);
    for (size_t k = 0; k < f->also.count; k++) schedule_file_release(&f->also.data[k]);
    vec_release(&f->also);
    text_release(&r->findings.data[i].path);
  }
  for (size_t i = 0; i < r->uncovered.count; i++) text_release(&r->uncovered.data[i]);
  for (size_t i = 0; i < r->notes.count; i++) text_release(&r->notes.data[i]);
  for (size_t i = 0; i < r->outcomes.count; i++) text_release(&r->outcomes.data[i].text);
  for (size_t i = 0; i < r->orders.count; i++) remark_places_release(&r->orders.data[i].places);
  text_release(&r->result);
  text_release(&r->claim);
  vec_release(&r->findings);
  vec_release(&r->orders);
  vec_release(&r->uncovered);
  vec_release(&r->notes);
  vec_release(&r->outcomes);
}

void report_counter(const struct strategy_counter *c, struct text *out) {
  if (c->is_time)
    text_printf(out, "%.3f", (double)c->number / 1e9);
  else
    text_printf(out, "%" PRIu64, c->number);
}
