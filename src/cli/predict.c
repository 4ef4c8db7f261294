/* heddle predict: what another order of a recorded run would have shown. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/deadline.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/explain.h"
#include "cli/interrupt.h"
#include "cli/native/taken.h"
#include "cli/native/witnesses.h"
#include "cli/progress.h"
#include "cli/property_files.h"
#include "predict/recorded/maximal.h"
#include "predict/recorded/patterns.h"
#include "report/predicted.h"
#include "report/style.h"
#include "report/supplement.h"
#include "report/suppressions.h"
#include "streaming/streaming.h"
#include "trace/build.h"
#include "trace/file_stream.h"
#include "trace/format.h"
#include "trace/recorded.h"

enum { STREAMING_MOST = 8, JOBS_MOST = 256 };

struct wanted {
  bool maximal;
  bool supplement; /* nothing was asked for: of the streaming analysis, `hb`, what is proven and new */
  const struct streaming_type *streaming[STREAMING_MOST];
  size_t n;
};

/* --- options --- */

static enum err add_analysis(struct wanted *w, const char *name, size_t length, struct diag *d) {
  struct text word = {0};
  enum err e = ERR_NONE;
  text_append(&word, name, length);
  const struct streaming_type *type = streaming_type(text_str(&word));
  if (strcmp(text_str(&word), "maximal") == 0)
    w->maximal = true;
  else if (type && w->n < STREAMING_MOST)
    w->streaming[w->n++] = type;
  else if (strcmp(text_str(&word), "none") != 0)
    e = diag_set(d, ERR_USAGE, "there is no analysis \"%s\"; maximal, hb, wcp, sp, wdc, edc and none are", text_str(&word));
  text_release(&word);
  return e;
}

static enum err find_analyses(const struct options *o, struct wanted *w, struct diag *d) {
  enum err e = ERR_NONE;
  w->maximal = o->analyses.count == 0 && o->properties.count == 0;
  for (size_t i = 0; i < o->analyses.count; i++)
    for (const char *at = o->analyses.data[i]; !e;) {
      size_t n = strcspn(at, ",");
      e = add_analysis(w, at, n, d);
      if (!at[n]) break;
      at += n + 1;
    }
  w->supplement = w->maximal && o->analyses.count == 0;
  if (w->supplement) w->streaming[w->n++] = streaming_type("hb");
  return e;
}

/* --- runs --- */

struct work {
  const struct options *o;
  struct wanted wanted;
  struct predicted_report report;
  struct recorded_stream *kept; /* the last stream: its names are the report's */
  struct property_files properties;
  struct patterns *patterns;
  struct suppressions suppressions;
  uint64_t missing, unexplained, left_out;
  struct progress progress;
  enum deadline ended; /* before the end of the trace, and why */
  struct diag *d;
};

static enum err open_again(struct work *w) {
  recorded_close(w->kept);
  w->kept = NULL;
  return recorded_open(w->o->programs.data[0], &w->kept, w->d);
}

static void note_stream(struct work *w, uint64_t unexplained) {
  w->missing = w->kept->missing;
  if (unexplained > w->unexplained) w->unexplained = unexplained;
}

static void put_left_out(const struct maximal_counts *n, struct text *out) {
  static const char *const texts[] = {
#define X(name, what) what,
      MAXIMAL_LEFT_LIST(X)
#undef X
  };
  for (unsigned i = 0; i < LEFT_COUNT; i++)
    if (n->left[i]) text_printf(out, "  left out: %" PRIu64 " %s\n", n->left[i], texts[i]);
}

static struct recorded_stream *begin_again(void *data) {
  struct work *w = data;
  return open_again(w) ? NULL : w->kept;
}

static void show_progress(void *to, const struct maximal_counts *n, uint64_t findings) {
  struct work *w = to;
  char line[96];
  if (!progress_is_due(&w->progress)) return;
  snprintf(line, sizeof line, "%.1fM events, %" PRIu64 " questions, %" PRIu64 " findings", (double)n->events / 1e6, n->questions, findings);
  progress_draw(&w->progress, line);
}

static enum err run_maximal(struct work *w) {
  struct maximal *m = maximal_new(&(struct maximal_options){
      .window = (uint32_t)w->o->window, .budget = w->o->budget, .jobs = (uint32_t)w->o->jobs, .progress = show_progress, .to = w});
  enum err e = open_again(w);
  if (!e) e = maximal_run(m, w->kept, w->d);
  progress_end(&w->progress);
  if (!e) {
    struct maximal_counts n = maximal_counts(m);
    taken_maximal(&w->report, m);
    note_stream(w, n.unexplained);
    w->left_out += n.left_out;
    text_printf(&w->report.counts,
                "maximal: %" PRIu64 " events in %" PRIu64 " windows, %" PRIu64 " questions: %" PRIu64 " yes, %" PRIu64 " no, %" PRIu64
                " undecided; %" PRIu64 " left out\n",
                n.events, n.windows, n.questions, n.yes, n.no, n.undecided, n.left_out);
    put_left_out(&n, &w->report.counts);
  }
  maximal_free(m);
  return e;
}

static void take_counted(struct work *w, const struct streaming *s) {
  size_t before = w->report.findings.count;
  taken_streaming(&w->report, s);
  if (w->wanted.supplement)
    text_printf(&w->report.counts, "%s: %" PRIu64 " events, %zu findings that maximal does not have\n", s->type->name, s->events,
                supplement_apply(&w->report, before, w->kept->names));
  else
    text_printf(&w->report.counts, "%s: %" PRIu64 " events, %zu findings, %" PRIu64 " with those of known places\n", s->type->name,
                s->events, s->findings.count, s->found);
}

static enum err run_streaming(struct work *w) {
  struct streaming *all[STREAMING_MOST];
  enum err e = open_again(w);
  if (e) return e;
  for (size_t i = 0; i < w->wanted.n; i++) all[i] = streaming_new(w->wanted.streaming[i]);
  e = streaming_run(all, w->wanted.n, w->kept);
  note_stream(w, w->kept->unordered);
  for (size_t i = 0; i < w->wanted.n; i++) {
    if (!e) take_counted(w, all[i]);
    streaming_free(all[i]);
  }
  return e;
}

static enum err run_properties(struct work *w) {
  enum err e = property_files_read(&w->properties, &w->o->properties, w->d);
  for (size_t i = 0; i < w->properties.files.count; i++) {
    const struct property_file *file = &w->properties.files.data[i];
    for (size_t k = file->first; k < file->first + file->count && !e; k++) {
      e = open_again(w);
      if (!e) e = patterns_run(w->patterns, &w->properties.all.list.data[k], file->path, w->kept);
      if (!e) note_stream(w, w->kept->unordered);
    }
  }
  if (e || w->o->properties.count == 0) return e;
  struct pattern_counts n = patterns_counts(w->patterns);
  taken_patterns(&w->report, w->patterns);
  w->left_out += n.left_out;
  text_printf(&w->report.counts,
              "properties: %" PRIu64 " choices of events, %" PRIu64 " questions: %" PRIu64 " yes, %" PRIu64 " undecided; %" PRIu64
              " left out\n",
              n.choices, n.questions, n.yes, n.unknown, n.left_out);
  return e;
}

/* Does a property name accesses, of which the trace has not all? */
static bool misses_accesses(const struct work *w) {
  const struct trace_file *f = w->kept ? file_stream_file(w->kept) : NULL;
  return f && f->left_out && property_files_name_accesses(&w->properties);
}

/* Libraries that the program opened by dlopen() and that have bitcode: how many; the first one. */
static size_t count_opened(const struct recorded_names *names, const char **first) {
  size_t n = 0;
  for (size_t i = names->methods.count; i-- > 0;) {
    const char *name = recorded_text(names, names->methods.data[i]);
    if (strncmp(name, TRACE_OPENED, strlen(TRACE_OPENED)) != 0) continue;
    *first = name + strlen(TRACE_OPENED);
    n++;
  }
  return n;
}

static int verdict(struct work *w) {
  uint64_t found = 0, undecided = 0;
  for (size_t i = 0; i < w->report.findings.count; i++) {
    bool open = w->report.findings.data[i].status == PREDICTED_UNDECIDED;
    found += !open, undecided += open;
  }
  if (w->kept && file_stream_file(w->kept) && trace_build_is_other(file_stream_file(w->kept)))
    text_printf(&w->report.counts, "the program has been built again since the trace was recorded: places may be others now\n");
  if (w->missing)
    text_printf(&w->report.counts, "parts of the trace are missing: what is said is about the rest (heddle show tells which)\n");
  if (w->unexplained)
    text_printf(&w->report.counts,
                "%" PRIu64 " reads returned what no order of the recorded writes explains: nothing that depends on them is asked\n",
                w->unexplained);
  const char *opened = "";
  size_t libraries = count_opened(w->kept->names, &opened);
  if (libraries)
    text_printf(&w->report.counts, "not recorded: %s%s, opened by dlopen(): what is said is about the rest\n", opened,
                libraries > 1 ? " and others" : "");
  bool misses = misses_accesses(w);
  if (misses)
    text_printf(&w->report.counts,
                "accesses of memory that one thread alone touches are not in the trace: properties that name them need heddle trace "
                "--everything\n");
  if (w->ended)
    text_printf(&w->report.counts, "%s before all was looked at: what is said is about the beginning of the trace\n",
                w->ended == DEADLINE_TIME ? "the time of --time was over" : "the analysis was interrupted");
  suppressions_text(&w->suppressions, &w->report.counts);
  text_printf(&w->report.counts, "%" PRIu64 " finding%s, %" PRIu64 " undecided\n", found, found == 1 ? "" : "s", undecided);
  if (found) return EXIT_BUG;
  return undecided || w->left_out || w->missing || w->unexplained || libraries || misses || w->ended ? EXIT_BOUNDED : EXIT_SAFE;
}

static enum err check(const struct options *o, bool *json, struct diag *d) {
  *json = o->json || strcmp(o->format, "json") == 0;
  if (o->programs.count != 1) return diag_set(d, ERR_USAGE, "heddle predict takes one trace");
  if (!*json && strcmp(o->format, "text") != 0)
    return diag_set(d, ERR_USAGE, "there is no report format \"%s\"; text and json are", o->format);
  if (o->jobs < 1 || o->jobs > JOBS_MOST) return diag_set(d, ERR_USAGE, "--jobs takes a number from 1 to %d", JOBS_MOST);
  if (o->window < 1 || o->window > UINT32_MAX / 2) return diag_set(d, ERR_USAGE, "--window takes a number from 1 to %u", UINT32_MAX / 2);
  if (o->budget < 1) return diag_set(d, ERR_USAGE, "--budget takes a number from 1 on");
  return ERR_NONE;
}

static enum err predict_all(struct work *w, bool json, struct text *out, int *code) {
  enum err e = find_analyses(w->o, &w->wanted, w->d);
  w->patterns = patterns_new(&(struct patterns_options){.window = (uint32_t)w->o->window, .budget = w->o->budget});
  w->report.most_steps = w->o->steps;
  if (!e && w->o->suppressions) e = suppressions_read(&w->suppressions, w->o->suppressions, w->d);
  if (!e && w->wanted.maximal) e = run_maximal(w);
  if (!e) e = run_properties(w);
  if (!e && w->wanted.n) e = run_streaming(w);
  if (!e && !w->kept) e = open_again(w);
  w->ended = deadline_passed;
  if (w->ended == DEADLINE_TIME) deadline_renew(0); /* what was found is still told, and confirmed */
  if (!e) {
    suppressions_apply(&w->suppressions, &w->report, w->kept->names);
    e = witnesses_make(&w->report, w->o, w->kept, begin_again, w, w->d);
  }
  if (!e) {
    struct style style = style_for(STDOUT_FILENO, false);
    *code = verdict(w);
    w->report.verdict = *code == EXIT_BUG ? "BUG" : *code == EXIT_SAFE ? "SAFE" : "BOUNDED";
    if (json)
      predicted_json(&w->report, w->kept->names, &w->suppressions, out);
    else
      predicted_text(&w->report, w->kept->names, &style, out);
  }
  return e;
}

int command_predict(int argc, char **argv) {
  struct options o;
  int code;
  if (!command_options("predict", argc, argv, &o, &code)) return code;
  struct diag d = {0};
  struct text out = {0};
  struct work w = {.o = &o, .d = &d};
  bool json;
  enum err e = check(&o, &json, &d);
  interrupt_catch();
  deadline_set(o.time > 0 ? deadline_now() + o.time : 0);
  progress_begin(&w.progress);
  if (!e) e = o.explain ? explain_pair(&o, json, &out, &code, &d) : predict_all(&w, json, &out, &code);
  code = e ? console_complain(&d) : console_finish(&out, code);
  text_release(&out);
  predicted_release(&w.report);
  recorded_close(w.kept);
  patterns_free(w.patterns);
  property_files_release(&w.properties);
  suppressions_release(&w.suppressions);
  options_release(&o);
  diag_release(&d);
  return code;
}
