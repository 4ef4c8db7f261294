#include "cli/findings.h"

#include <string.h>

#include "base/deadline.h"
#include "base/hash.h"
#include "cli/console.h"
#include "cli/session.h"
#include "cli/trust.h"
#include "machine/machine.h"
#include "report/names.h"
#include "report/place.h"
#include "report/replayer.h"
#include "report/report.h"

static void path_of(const struct findings *all, size_t i, enum finding_kind kind, struct text *path) {
  const struct options *o = all->options;
  if (o->no_schedule) return;
  if (o->schedule) {
    text_puts(path, o->schedule);
    if (i > 0) text_printf(path, ".%zu", i + 1);
    return;
  }
  if (o->schedule_dir) text_printf(path, "%s/", o->schedule_dir);
  text_printf(path, "heddle-%s-%zu.schedule", finding_kind_text(kind), i + 1);
}

/* What the explorer says of a finding that was not shown again. */
static void describe_unconfirmed(const struct findings *all, const struct finding *finding, struct schedule_file *f) {
  struct text message = {0};
  names_relative(text_str(&finding->message), &message);
  f->kind = finding->kind;
  f->message = schedule_intern(f, text_str(&message));
  vec_clear(&f->sites);
  for (size_t i = 0; i < finding->sites.count; i++) {
    const struct finding_site *site = &finding->sites.data[i];
    struct place place = place_of_site(&all->session->image, site->site);
    struct schedule_site s = {.thread = schedule_intern(f, machine_thread_name(all->session->m, site->thread)),
                              .role = schedule_intern(f, site->role),
                              .file = schedule_intern(f, place.file),
                              .function = schedule_intern(f, place.function),
                              .line = place.line,
                              .column = place.column};
    *vec_push(&f->sites) = s;
  }
  text_release(&message);
}

static void write_schedule(struct findings *all, struct report_finding *to) {
  struct diag d = {0};
  if (to->path.count && schedule_file_write(&to->schedule, text_str(&to->path), &d)) {
    console_complain(&d);
    all->unwritten = true;
    text_clear(&to->path);
  }
  diag_release(&d);
}

/* The same for findings of one kind at the same two places: a line that reads and writes races twice. These are the accesses' own places,
 * whether the report names them or the callers' of a library function: which findings there are does not depend on which are run again. */
static uint64_t places_key(const struct findings *all, const struct finding *finding) {
  uint64_t key = finding->kind, both = 0;
  size_t n = finding->sites.count < 2 ? finding->sites.count : 2;
  for (size_t i = 0; i < n; i++) {
    struct place p = place_of_site(&all->session->image, finding->sites.data[i].site);
    uint64_t names = hash_pair(hash_bytes(p.file, strlen(p.file), 0), hash_bytes(p.function, strlen(p.function), 0));
    uint32_t at = p.line ? p.column : finding->sites.data[i].site; /* functions of the library have no lines */
    both += hash_pair(names, (uint64_t)p.line << 32 | at);
  }
  return hash_pair(key, n ? both : hash_bytes(finding->message.data, finding->message.count, 0));
}

static bool is_told(const struct findings *all, const struct finding *finding, struct hashmap *told) {
  bool is_new;
  hashmap_at(told, places_key(all, finding), 1, &is_new);
  return !is_new;
}

/* Runs its schedule again. What it shows is what is told. */
static void show_again(const struct findings *all, const struct explore_finding *from, struct report_finding *to) {
  struct diag d = {0};
  session_describe(all->inputs, &to->schedule);
  to->schedule.message = schedule_intern(&to->schedule, text_str(&from->finding.message));
  bool recorded = !replayer_record(all->session->m, &all->session->image, &from->schedule, &to->schedule, &d);
  bool shown = recorded && report_confirm(all->session->m, &all->session->image, to, &from->finding, &d) == REPORT_SHOWN;
  if (!shown) describe_unconfirmed(all, &from->finding, &to->schedule);
  to->is_recorded = recorded;
  diag_release(&d);
}

/* The finding that stands for its defect. */
static void add_defect(struct findings *all, const struct explore_finding *from) {
  struct report *r = all->report;
  bool closely = all->options->most == 0 || r->findings.count < all->options->most;
  struct report_finding *to = vec_push(&r->findings);
  *to = (struct report_finding){.schedule = {.kind = from->finding.kind}, .is_brief = !closely};
  if (closely && !from->stood_for && !deadline_passed)
    show_again(all, from, to);
  else
    describe_unconfirmed(all, &from->finding, &to->schedule);
  if (to->is_recorded) path_of(all, r->findings.count - 1, to->schedule.kind, &to->path);
  write_schedule(all, to);
  to->needs_trust = trust_is_needed(&to->schedule, text_str(&to->path));
}

/* Another finding of the same defect: its places. */
static void add_also(struct findings *all, const struct explore_finding *from) {
  struct schedule_file *brief = vec_push(&vec_last(&all->report->findings).also);
  *brief = (struct schedule_file){0};
  describe_unconfirmed(all, &from->finding, brief);
}

void findings_tell(struct findings *f, const struct explore_result *result) {
  struct hashmap told = {0};
  uint32_t open = UINT32_MAX; /* the defect that the report's last finding stands for */
  for (size_t i = 0; i < result->findings.count; i++) {
    const struct explore_finding *from = &result->findings.data[i];
    if (is_told(f, &from->finding, &told)) continue;
    if (from->defect == open)
      add_also(f, from);
    else
      add_defect(f, from);
    open = from->defect;
  }
  hashmap_release(&told);
}
