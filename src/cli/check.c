/* heddle check: explore, confirm what was found, write schedules, report. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/vec.h"
#include "cli/check.h"
#include "cli/command.h"
#include "cli/competition.h"
#include "cli/console.h"
#include "cli/ends.h"
#include "cli/findings.h"
#include "cli/interrupt.h"
#include "cli/kinds.h"
#include "cli/progress.h"
#include "cli/scenarios.h"
#include "cli/session.h"
#include "cli/spec_check.h"
#include "cli/spec_test.h"
#include "cli/tests.h"
#include "cli/unkept.h"
#include "cli/violation_file.h"
#include "machine/machine.h"
#include "report/coverage.h"
#include "report/place.h"
#include "report/replayer.h"
#include "report/report.h"
#include "report/style.h"
#include "search/search.h"
#include "strategy/planned.h"
#include "trace/path_log.h"

/* Executions that shortening one finding's schedule may cost. */
#define SHORTEN_RUNS       2000
#define PATHS_SHORTEN_RUNS 50000 /* most of them leave the log soon */
#define JOBS_MOST          256
/* What the strategies that never end are given when nothing else limits them. */
#define RANDOM_EXECUTIONS 10000

struct check {
  const struct options *o;
  struct check_request request;
  struct session_inputs inputs;
  struct session session;
  struct explore_options explore;
  struct explore_result result;
  struct progress progress;
  struct tests tests;
  struct competition competition;
  struct report report;
  const struct report_format *format;
  struct diag diag;
  struct text scenario; /* --linearizable: the present one */
  struct text no_data;  /* what __VERIFIER_nondet_*() are sampled for, without having been asked to */
  double started;       /* what --time is counted from */
  bool unwritten;       /* a schedule could not be written; the complaint has been made */
};

static enum err wrong(struct check *c, const char *message) { return diag_set(&c->diag, ERR_USAGE, "%s", message); }

/* Does the strategy have what the options ask for: parts, bounds? */
static bool serves(const struct strategy_type *s, const struct options *o) {
  bool bounds = o->bound != UINT64_MAX, alone = o->jobs == 1 && !o->campaign;
  return (alone || s->in_parts || (s->in_common && !o->campaign)) && (s->bounds || !bounds);
}

static enum err choose_strategy(struct check *c) {
  const char *name = c->o->strategy;
  if (c->request.plan)
    c->explore.strategy = &strategy_constraints;
  else if (name)
    c->explore.strategy = strategy_find(name);
  else
    c->explore.strategy = serves(&strategy_maximal, c->o) ? &strategy_maximal : &strategy_dpor;
  if (c->explore.strategy) return ERR_NONE;
  struct text known = {0};
  for (const struct strategy_type *const *s = strategies; *s; s++) text_printf(&known, "%s%s", known.count ? ", " : "", (*s)->name);
  diag_set(&c->diag, ERR_USAGE, "there is no strategy \"%s\"", name);
  diag_hint(&c->diag, "the strategies are %s", text_str(&known));
  text_release(&known);
  return ERR_USAGE;
}

static enum err check_bound(struct check *c) {
  if (c->o->bound == UINT64_MAX || c->explore.strategy->bounds) return ERR_NONE;
  diag_set(&c->diag, ERR_USAGE, "--bound: the strategy %s knows no bound on preemptions", c->explore.strategy->name);
  diag_hint(&c->diag, "the strategies dpor and icb do");
  return ERR_USAGE;
}

/* Which of the names it is; false: none. */
static bool find_name(const char *name, const char *const *names, unsigned count, unsigned *index) {
  for (*index = 0; *index < count; ++*index)
    if (strcmp(name, names[*index]) == 0) return true;
  return false;
}

static enum err choose_dependency(struct check *c, enum dependency *to) {
  static const char *const names[] = {"all", "dynamic", "static"};
  unsigned found = 0;
  *to = c->explore.strategy->depends ? DEPENDENCY_STATIC : DEPENDENCY_ALL;
  if (!c->o->dependency) return ERR_NONE;
  if (!c->explore.strategy->depends) return wrong(c, "--dependency is for the strategies mcr-s and mcr-s+");
  if (!find_name(c->o->dependency, names, sizeof names / sizeof *names, &found))
    return wrong(c, "--dependency takes all, dynamic or static");
  *to = (enum dependency)found;
  return ERR_NONE;
}

/* Are invocations of methods single steps? */
static bool goes_by_spec(const struct check *c) { return spec_check_takes_steps(c->o, c->explore.strategy); }

static enum err check_cutoffs(struct check *c) {
  if (!c->o->cutoffs) return ERR_NONE;
  if (c->explore.strategy != &strategy_unfolding) return wrong(c, "--cutoffs is for the strategy unfolding");
  if (c->o->loop_bound) return wrong(c, "--cutoffs and --loop-bound exclude each other");
  return ERR_NONE;
}

static enum err choose_order(struct check *c, enum unfolding_order *to) {
  static const char *const names[] = {[UNFOLDING_DEPTH] = "depth", [UNFOLDING_BREADTH] = "breadth", [UNFOLDING_RANDOM] = "random"};
  unsigned order = 0;
  if (!c->o->order) return ERR_NONE;
  if (c->explore.strategy != &strategy_unfolding) return wrong(c, "--order is for the strategy unfolding");
  if (!find_name(c->o->order, names, sizeof names / sizeof *names, &order)) return wrong(c, "--order takes depth, breadth or random");
  *to = (enum unfolding_order)order;
  return ERR_NONE;
}

static enum err choose_format(struct check *c) {
  const char *name = c->o->json ? "json" : c->o->format;
  c->format = report_format_find(name);
  return c->format ? ERR_NONE : diag_set(&c->diag, ERR_USAGE, "there is no report format \"%s\"; text and json are", name);
}

/* Work in parts: several workers, or several sittings. */
static enum err check_parts(struct check *c) {
  const struct options *o = c->o;
  if (o->jobs == 1 && !o->campaign) return ERR_NONE;
  const char *what = o->campaign ? "--campaign" : "--jobs";
  if ((c->explore.strategy->in_blocks || c->explore.strategy->prefixes) && !o->campaign) return ERR_NONE;
  if (o->predict) return diag_set(&c->diag, ERR_USAGE, "%s and --predict exclude each other", what);
  if (c->explore.strategy->in_common && !o->campaign) return ERR_NONE;
  if (c->explore.strategy->in_parts && o->bound == UINT64_MAX) return ERR_NONE;
  if (c->explore.strategy->in_parts) return diag_set(&c->diag, ERR_USAGE, "%s and --bound exclude each other", what);
  diag_set(&c->diag, ERR_USAGE, "%s: the strategy %s cannot be explored in parts", what, c->explore.strategy->name);
  diag_hint(&c->diag, o->campaign ? "the strategy dpor can" : "the strategies maximal, dpor, mcr and its variants, random and pct can");
  return ERR_USAGE;
}

static void describe_words(const char *name, const struct words *words, struct text *out) {
  for (size_t i = 0; i < words->count; i++) text_printf(out, "%s %s\n", name, words->data[i]);
}

/* All that decides what there is to explore. */
static void describe_campaign(const struct check *c, struct text *out) {
  const struct options *o = c->o;
  text_printf(out, "program %016" PRIx64 "\nmemory %s\nstrategy %s\n", c->session.image.header->content, o->memory,
              c->explore.strategy->name);
  text_printf(out, "loop-bound %" PRIu64 "\nstep-limit %" PRIu64 "\n", o->loop_bound, o->step_limit);
  text_printf(out, "spurious %d\nno-leaks %d\noutcomes %d\n", o->spurious, o->no_leaks, o->outcomes);
  if (c->inputs.whole_deadlocks) text_puts(out, "whole-deadlocks\n");
  if (c->inputs.exit_codes) text_puts(out, "exit-codes\n");
  if (o->input) text_printf(out, "input %s\n", o->input);
  describe_words("argument", &o->arguments, out);
  describe_words("allow", &o->allowed, out);
  describe_words("file", &o->readable, out);
  describe_words("environment", &o->environment, out);
  if (!c->session.m || !machine_is_symbolic(c->session.m)) return;
  text_printf(out, "symbolic data\nnondet %d\n", c->inputs.nondet);
  describe_words("symbolic-stdin", &o->symbolic_stdin, out);
  describe_words("symbolic-file", &o->symbolic_files, out);
  describe_words("symbolic-args", &o->symbolic_arguments, out);
  describe_words("symbolic-env", &o->symbolic_variables, out);
}

static void on_progress(const struct explore_progress *p, void *data) {
  struct check *c = data;
  struct progress_state state = {.executions = p->counts->executions,
                                 .given_up = p->counts->blocked,
                                 .findings = p->findings,
                                 .per_second = p->per_second,
                                 .depth = p->depth,
                                 .done = p->done};
  progress_update(&c->progress, &state);
}

/* Fills a new element of a list of texts. */
[[gnu::format(printf, 2, 3)]] static void say(struct text *t, const char *format, ...) {
  *t = (struct text){0};
  va_list args;
  va_start(args, format);
  text_vprintf(t, format, args);
  va_end(args);
}

/* Symbolic data needs a strategy that leaves nothing out and does not go by the values that are read. NULL: it can be; else why not. */
static const char *why_no_data(const struct check *c) {
  const struct explore_options *x = &c->explore;
  if (!x->strategy->exhaustive || x->strategy->asks_reads) return x->strategy->name;
  return NULL;
}

/* Symbolic data that the program, or an option, asks for. */
static enum err check_data(struct check *c) {
  const struct explore_options *x = &c->explore;
  if (!image_asks_inputs(&c->session.image) && !unfixed_any(&c->inputs)) return ERR_NONE;
  if (!why_no_data(c)) return ERR_NONE;
  diag_set(&c->diag, ERR_USAGE, "the strategy %s cannot explore symbolic data (hd_symbolic)", x->strategy->name);
  diag_hint(&c->diag, "the strategies maximal, dpor, unfolding, icb and naive can");
  return ERR_USAGE;
}

/* Do __VERIFIER_nondet_*() give symbolic data? Where that cannot be, they are sampled. */
static enum err choose_data(struct check *c) {
  const struct options *o = c->o;
  if (o->data && strcmp(o->data, "symbolic") != 0 && strcmp(o->data, "sample") != 0) return wrong(c, "--data takes symbolic or sample");
  if (o->data && strcmp(o->data, "sample") == 0) return ERR_NONE;
  if (why_no_data(c)) text_printf(&c->no_data, "--strategy=%s", why_no_data(c));
  c->inputs.nondet = c->no_data.count == 0;
  if (c->inputs.nondet || !o->data) return ERR_NONE;
  return diag_set(&c->diag, ERR_USAGE, "--data=symbolic does not go with %s", text_str(&c->no_data));
}

/* What the program's own calls make of that. */
static void settle_nondet(struct check *c) {
  bool asks = image_asks_nondet(&c->session.image), gives = asks && c->inputs.nondet;
  c->inputs.nondet = gives;
  c->explore.inputs = c->o->data_inputs; /* that may be EXPLORE_INPUTS_USUAL */
  if (asks && c->no_data.count)
    say(vec_push(&c->report.notes), "__VERIFIER_nondet_*() gave a few values, not all: these are not explored with %s",
        text_str(&c->no_data));
}

static void on_tested(const struct machine_input *inputs, size_t n, void *data) {
  struct check *c = data;
  tests_write(&c->tests, inputs, n);
}

/* Which kinds of findings are not asked for. */
static enum err choose_kinds(struct check *c) {
  const struct options *o = c->o;
  enum err e = competition_find(&c->competition, &o->properties, &c->diag);
  if (e || !c->competition.path) return e ? e : kinds_ignored(&o->only, &o->ignore, &c->explore.ignored, &c->diag);
  c->explore.ignored = (uint32_t)((1ull << FINDING_COUNT) - 1) & ~competition_kinds(&c->competition);
  if (o->properties.count > 1) c->explore.ignored &= ~(1u << FINDING_PROPERTY);
  const char *option = o->only.count ? "--only" : o->ignore.count ? "--ignore" : o->no_leaks ? "--no-leaks" : NULL;
  return option ? diag_set(&c->diag, ERR_USAGE, "%s cannot change what a property of SV-COMP asks for", option) : ERR_NONE;
}

static enum err prepare(struct check *c) {
  const struct options *o = c->o;
  if (scenarios_check_options(o, &c->diag)) return ERR_USAGE;
  if (o->jobs == 0 || o->jobs > JOBS_MOST) return wrong(c, "--jobs takes a number from 1 to 256");
  if (o->all && o->stop_at_first) return wrong(c, "--all and --stop-at-first exclude each other");
  if (o->predict && o->no_predict) return wrong(c, "--predict and --no-predict exclude each other");
  if (o->schedule && o->no_schedule) return wrong(c, "--schedule and --no-schedule exclude each other");
  if (o->pct_depth == 0 || o->pct_depth > 1000) return wrong(c, "--pct-depth takes a number from 1 to 1000");
  if (o->state_memory >= 1ull << 40) return wrong(c, "--state-memory is too large");
  if (o->bound != UINT64_MAX && o->bound >= UINT32_MAX) return wrong(c, "--bound is too large");
  enum err e = choose_strategy(c);
  if (!e) e = choose_format(c);
  if (!e) e = check_bound(c);
  if (!e) e = check_cutoffs(c);
  if (!e) e = spec_check_options(c->o, c->explore.strategy, &c->diag);
  if (!e) e = check_parts(c);
  if (e) return e;
  bool endless = !c->explore.strategy->exhaustive && o->executions == 0 && o->time == 0;
  struct explore_options *x = &c->explore;
  x->executions = endless ? RANDOM_EXECUTIONS : o->executions;
  x->strategy_options = (struct strategy_options){.seed = o->seed,
                                                  .bound = o->bound == UINT64_MAX ? UINT32_MAX : (uint32_t)o->bound,
                                                  .pct_depth = (uint32_t)o->pct_depth,
                                                  .executions = x->executions,
                                                  .cutoffs = o->cutoffs,
                                                  .plan = c->request.plan,
                                                  .memory = o->state_memory << 20};
  if ((e = choose_kinds(c))) return e;
  if ((e = violation_file_check(o, &c->competition, &c->diag))) return e;
  if ((e = choose_order(c, &x->strategy_options.order))) return e;
  if ((e = choose_dependency(c, &x->strategy_options.dependency))) return e;
  x->seconds = o->time;
  x->findings = o->stop_at_first ? 1 : 0;
  x->most = o->most > UINT32_MAX ? UINT32_MAX : (uint32_t)o->most;
  x->step_limit = o->step_limit > UINT32_MAX ? UINT32_MAX : (uint32_t)o->step_limit;
  x->loop_bound = o->loop_bound > UINT32_MAX ? UINT32_MAX : (uint32_t)o->loop_bound;
  x->shorten_runs = c->request.record ? 0 : c->request.paths ? PATHS_SHORTEN_RUNS : SHORTEN_RUNS;
  x->outcomes = o->outcomes;
  x->predict = !o->no_predict && (o->predict || x->strategy->predicts);
  x->progress = on_progress;
  x->progress_data = c;
  x->tested = o->tests ? on_tested : NULL;
  c->tests = (struct tests){.folder = o->tests, .goes_on = o->campaign, .inputs = &c->inputs, .session = &c->session};
  if ((e = tests_begin(&c->tests, &c->diag))) return e;
  x->jobs = (uint32_t)o->jobs;
  x->campaign = o->campaign;
  c->inputs = session_inputs_of(o);
  c->inputs.whole_deadlocks = x->ignored >> FINDING_DEADLOCK & 1;
  c->inputs.whole_deadlocks |= o->linearizable; /* whether operations may block is asked once nobody can go on */
  c->inputs.exit_codes |= o->only.count && !(x->ignored >> FINDING_EXIT_CODE & 1);
  c->inputs.insn_limit = INSN_LIMIT;
  c->inputs.alone = c->explore.strategy->sees_alone;
  c->inputs.all_inputs = true;
  c->inputs.coverage = o->coverage != NULL;
  c->inputs.paths = c->request.paths;
  c->inputs.records = c->request.record != NULL;
  if (c->inputs.records) c->inputs.called = c->request.record->called;
  c->inputs.recorded = c->request.paths || c->request.record;
  if (c->request.record) c->inputs.how = (enum path_how)c->request.record->header.how;
  c->inputs.one_step = goes_by_spec(c);
  x->no_races = c->inputs.recorded || goes_by_spec(c);
  return choose_data(c);
}

/* --- the report --- */

/* What prediction did not look at. */
static void note_prediction(struct check *c) {
  const struct predictor_counts *n = &c->result.predicted;
  if (n->passed)
    say(vec_push(&c->report.notes), "prediction left out %" PRIu64 " of %" PRIu64 " executions: the budget for it was spent", n->passed,
        n->passed + n->executions);
  if (n->parted)
    say(vec_push(&c->report.notes),
        "prediction looked at %" PRIu64 " of the %" PRIu64
        " windows of long executions; what events of different windows show together "
        "was not asked",
        n->windows, n->windows + n->windows_passed);
}

static void add_reason(struct report *r, const struct explore_result *x, enum explore_reason reason) {
  bool refused = reason == EXPLORE_REASON_REFUSED && x->refused.count;
  say(vec_push(&r->uncovered), refused ? "%s: %s" : "%s", explore_reason_text(reason), text_str(&x->refused));
}

/* False: the file could not be written; that was said. */
static bool note_coverage(struct check *c) {
  struct coverage_counts n;
  struct diag d = {0};
  if (!c->o->coverage) return true;
  enum err e = coverage_write(c->session.m, c->o->coverage, &n, &d);
  if (e) (void)console_complain(&d);
  diag_release(&d);
  if (!e)
    say(vec_push(&c->report.notes), "%" PRIu32 " of %" PRIu32 " lines and %" PRIu32 " of %" PRIu32 " functions were executed (%s)",
        n.lines_hit, n.lines, n.functions_hit, n.functions, c->o->coverage);
  return !e;
}

/* There is a run that failed: that no execution does is no proof of anything. */
static void not_reproduced(struct check *c) {
  struct report *r = &c->report;
  struct machine_departure d;
  struct text place = {0};
  if (r->verdict == VERDICT_BUG) return;
  if (machine_departure(c->session.m, &d)) {
    struct place at = place_of_site(&c->session.image, d.site);
    place_text(&at, &place);
    say(vec_push(&r->notes),
        "the execution that went furthest with the run had gone %" PRIu64 " of its %" PRIu64
        " branches, when thread %s went another way, at branch %" PRIu64 " of %" PRIu64 ", at %s",
        d.all, d.whole, machine_thread_name(c->session.m, d.thread), d.at + 1, d.of, text_str(&place));
  } else if (c->request.paths->header.how == PATH_HOW_BITS) {
    say(vec_push(&r->notes),
        "branches before the first pthread_create() are not in the log: to be told whether one of them goes another way, record with "
        "--paths=all");
  }
  text_release(&place);
  unkept_report(c->request.paths, c->o, r);
  if (c->request.note) say(vec_push(&r->notes), "%s", c->request.note);
  const uint32_t none = 1u << EXPLORE_REASON_VACUOUS | 1u << EXPLORE_REASON_OUTSIDE;
  r->verdict = VERDICT_BOUNDED;
  if (!(c->result.reasons & ~none))
    say(vec_push(&r->uncovered), "no execution under %s goes as the recorded run and fails as it did", c->o->memory);
  if (strcmp(c->o->memory, "sc") == 0) say(vec_push(&r->notes), "the processor is weaker than sc: the run may need --memory=tso");
}

static void fill_report(struct check *c) {
  struct report *r = &c->report;
  if (goes_by_spec(c)) spec_check_doubt(c->explore.ignored, &c->result);
  const struct explore_result *x = &c->result;
  r->image = &c->session.image;
  r->m = c->session.m;
  r->verdict = x->verdict;
  r->memory = c->o->memory;
  r->all_inputs = c->session.m && machine_has_inputs(c->session.m);
  r->strategy = c->explore.strategy->name;
  r->executions = x->counts.executions;
  r->blocked = x->counts.blocked;
  r->assumed = x->counts.assumed;
  r->given_up = c->explore.strategy->given_up;
  r->seconds = x->seconds;
  /* These have texts of their own. */
  const uint32_t own = 1u << EXPLORE_REASON_LIMITS | 1u << EXPLORE_REASON_SAMPLED |
                       (c->request.paths ? 1u << EXPLORE_REASON_VACUOUS | 1u << EXPLORE_REASON_OUTSIDE : 0);
  for (enum explore_reason reason = 0; reason < EXPLORE_REASON_COUNT; reason++)
    if (x->reasons >> reason & 1 & ~(own >> reason)) add_reason(r, x, reason);
  for (size_t i = 0; i < x->limits.count; i++) say(vec_push(&r->uncovered), "%s", x->limits.data[i]);
  remarks_report(r, c->request.paths || c->o->arguments.count || c->o->symbolic_arguments.count);
  if (goes_by_spec(c)) spec_check_note(vec_push(&r->notes));
  r->counters = x->counters.data, r->counter_count = x->counters.count;
  for (size_t i = 0; i < c->o->allowed.count; i++)
    say(vec_push(&r->notes), "%s was called natively: what it does to memory was not seen", c->o->allowed.data[i]);
  note_prediction(c);
  for (size_t i = 0; i < x->outcomes.count; i++) {
    struct report_outcome *o = vec_push(&r->outcomes);
    *o = (struct report_outcome){.count = x->outcomes.data[i].count};
    text_append(&o->text, text_str(&x->outcomes.data[i].text), x->outcomes.data[i].text.count);
  }
  r->ignored_kinds = c->explore.ignored, r->ignored = x->ignored;
  struct findings findings = {.options = c->o, .inputs = &c->inputs, .session = &c->session, .report = r};
  findings_tell(&findings, x);
  c->unwritten = findings.unwritten || c->tests.failed || !note_coverage(c);
  if (c->request.paths) not_reproduced(c);
  competition_judge(&c->competition, r);
  if (!violation_file_write(c->o, &c->competition, r)) c->unwritten = true;
  if (c->tests.folder)
    say(vec_push(&r->notes), "%" PRIu64 " input%s written to %s", c->tests.written, c->tests.written == 1 ? " was" : "s were",
        c->tests.folder);
}

/* Counts that tests compare: nothing that depends on time but what a strategy says of itself. */
static void stats_text(const struct check *c, struct text *out) {
  const struct explore_counts *n = &c->result.counts;
  text_printf(out, "verdict %s\n", verdict_text(c->report.verdict));
  text_printf(out, "findings %zu\n", c->report.findings.count);
  text_printf(out, "executions %" PRIu64 "\n", n->executions);
  text_printf(out, "blocked %" PRIu64 "\n", n->blocked);
  text_printf(out, "assumed %" PRIu64 "\n", n->assumed);
  text_printf(out, "limited %" PRIu64 "\n", n->limited);
  text_printf(out, "steps %" PRIu64 "\n", n->steps);
  text_printf(out, "longest %" PRIu32 "\n", n->longest);
  text_printf(out, "restarts %" PRIu32 "\n", n->restarts);
  if (c->request.paths && c->result.findings.count)
    text_printf(out, "switches %" PRIu32 "\npreemptions %" PRIu32 "\nfewest %s\n", c->result.findings.data[0].switches,
                c->result.findings.data[0].preemptions, c->result.findings.data[0].fewest_preemptions ? "yes" : "no");
  for (size_t i = 0; i < c->result.counters.count; i++) {
    text_printf(out, "%s ", c->result.counters.data[i].name);
    report_counter(&c->result.counters.data[i], out);
    text_puts(out, "\n");
  }
}

static int print_report(struct check *c) {
  struct text out = {0};
  struct style style = style_for(STDOUT_FILENO, c->o->no_color);
  style.full = c->o->full;
  if (c->o->stats)
    stats_text(c, &out);
  else
    c->format->write(&c->report, &style, &out);
  int code = console_finish(&out, verdict_exit_code(c->report.verdict));
  return c->unwritten ? EXIT_WRONG : code;
}

/* What the report may take to run the findings again: so much, and a part of the time that there was. */
#define REPORT_SECONDS 0.4
#define REPORT_PART    0.05

/* Reporting has a time of its own: what was found is told, but what is not run again by then is told as it was found. */
static void set_report_deadline(const struct check *c) {
  double now = deadline_now(), limit = c->o->time, least = now + REPORT_SECONDS;
  bool interrupted = c->result.reasons >> EXPLORE_REASON_INTERRUPTED & 1;
  double at = interrupted ? least + REPORT_PART * (now - c->started) : limit ? c->started + limit * (1 + REPORT_PART) + REPORT_SECONDS : 0;
  deadline_renew(at > 0 && at < least ? least : at);
}

/* What stops the exploration does not unmake what was found before. */
static bool goes_on(struct check *c, enum err e) {
  if (!e) return true;
  if (c->result.findings.count == 0) return false;
  c->result.verdict = VERDICT_BUG;
  say(vec_push(&c->report.uncovered), "%s", text_str(&c->diag.message));
  return true;
}

/* The time ended before there was anything to explore. */
static int report_nothing(struct check *c) {
  c->result.verdict = VERDICT_BOUNDED;
  c->result.reasons = 1u << (deadline_passed == DEADLINE_TIME ? EXPLORE_REASON_TIME : EXPLORE_REASON_INTERRUPTED);
  c->result.seconds = deadline_now() - c->started;
  fill_report(c);
  say(vec_push(&c->report.notes), "the program was still being compiled and loaded");
  return print_report(c);
}

/* What a plan says of memory is a step. */
static void share_planned(const struct check *c) {
  for (size_t i = 0; c->request.plan && i < c->request.plan->steps.count; i++) {
    const struct plan_step *s = &c->request.plan->steps.data[i];
    if (s->op == EVENT_READ) machine_share(c->session.m, s->object, s->size);
  }
}

/* What a native run would have left that did what the first finding's execution does. */
static int keep_log(struct check *c) {
  struct path_log *to = c->request.record;
  struct schedule_file made = {0};
  if (c->result.findings.count == 0) return CHECK_NOTHING;
  const struct explore_finding *f = &c->result.findings.data[0];
  enum err e = replayer_record(c->session.m, &c->session.image, &f->schedule, &made, &c->diag);
  if (!e) e = rebuild_hash(&c->session.rebuilt, &to->header.build, &c->diag);
  if (!e) {
    ends_by(&to->header, f->finding.kind, machine_exit_code(c->session.m));
    if (to->header.end == PATH_END_SIGNAL)
      to->header.failure =
          (struct path_failure){.signal = to->header.code, .thread = machine_log_thread(c->session.m, f->finding.sites.data[0].thread)};
    machine_recorded(c->session.m, to);
  }
  schedule_file_release(&made);
  return e ? console_complain(&c->diag) : 0;
}

/* Nothing was found, and somebody else tries next. */
static bool is_for_others(const struct check *c) {
  bool late = c->result.reasons >> EXPLORE_REASON_TIME & 1;
  return c->result.verdict != VERDICT_BUG && (c->request.only_findings || (c->request.unless_late && late));
}

static int run(struct check *c) {
  if (prepare(c)) return console_complain(&c->diag);
  c->started = c->explore.since = deadline_now();
  interrupt_catch();
  deadline_set(c->o->time ? c->started + c->o->time : 0);
  enum err e = session_open(&c->session, &c->inputs, &c->diag);
  if (e) return e == ERR_INTERRUPTED && deadline_passed ? report_nothing(c) : console_complain(&c->diag);
  if (check_data(c)) {
    session_close(&c->session);
    return console_complain(&c->diag);
  }
  settle_nondet(c);
  share_planned(c);
  struct text campaign = {0};
  describe_campaign(c, &campaign);
  c->explore.campaign_of = text_str(&campaign);
  progress_begin(&c->progress);
  if (c->o->linearizable)
    e = scenarios_explore(&c->session, &c->inputs, c->o, &c->explore, &c->result, &c->report, &c->scenario, &c->diag);
  else
    e = explore(c->session.m, &c->explore, &c->result, &c->diag);
  progress_end(&c->progress);
  c->inputs.nondet = c->session.m && machine_gives_nondet(c->session.m);
  text_release(&campaign);
  set_report_deadline(c);
  int code;
  if (!e && is_for_others(c)) {
    code = CHECK_NOTHING;
  } else if (!e && c->request.record) {
    code = keep_log(c);
  } else if (goes_on(c, e)) {
    fill_report(c);
    code = print_report(c);
  } else {
    code = console_complain(&c->diag);
  }
  session_close(&c->session);
  return code;
}

int check_program(const struct options *o, const struct check_request *request) {
  struct check c = {.o = o, .request = *request};
  int code = run(&c);
  report_release(&c.report);
  explore_result_release(&c.result);
  diag_release(&c.diag);
  text_release(&c.no_data);
  text_release(&c.scenario);
  competition_release(&c.competition);
  return code;
}

int command_check(int argc, char **argv) {
  struct options o;
  int code;
  if (!command_options("check", argc, argv, &o, &code)) return code;
  o.no_schedule |= !o.schedule && o.specs.count && !(o.strategy && strcmp(o.strategy, strategy_ncmc.name) == 0);
  code = o.test_spec ? spec_test(&o) : check_program(&o, &(struct check_request){0});
  options_release(&o);
  return code;
}
