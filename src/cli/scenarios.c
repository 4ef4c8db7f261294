#include "cli/scenarios.h"

#include <inttypes.h>
#include <string.h>

#include "base/deadline.h"
#include "execution/progress.h"
#include "report/report.h"
#include "search/search.h"

struct sweep {
  struct session *session;
  const struct options *o;
  const struct explore_options *options;
  struct explore_result *result;
  struct explore_counts counts; /* of the scenarios that are done */
  uint32_t reasons;
  uint32_t ignored[FINDING_COUNT];
  double seconds;
  uint64_t done, bounded;           /* scenarios; those of them that were not explored completely */
  bool late;                        /* a thread took more steps than those after which it was made to crash */
  bool present_bounded;             /* the present one is among those */
  enum progress_condition progress; /* that is asked about */
  uint64_t undecided;               /* scenarios, of those that were explored completely, of which it is not known */
  struct text unknown;              /* the first of them, and why */
  uint32_t size;                    /* operations of the present one */
  struct text first;                /* the first of the bounded ones, and why */
  double total;
  struct explore_options own; /* `options`, with a progress that tells how many scenarios are done */
};

static void on_progress(const struct explore_progress *p, void *data) {
  const struct sweep *x = data;
  struct explore_counts counts = x->counts;
  struct explore_progress whole = *p;
  counts.executions += p->counts->executions, counts.blocked += p->counts->blocked;
  whole.counts = &counts, whole.done = (double)x->done / x->total;
  x->options->progress(&whole, x->options->progress_data);
}

static enum progress_condition progress_named(const char *name) {
  unsigned i = PROGRESS_NOT_ASKED;
  while (name && ++i < PROGRESS_COUNT && strcmp(progress_names[i], name) != 0) continue;
  return (enum progress_condition)i;
}

static enum err check_progress(const struct options *o, struct diag *d) {
  if (progress_named(o->progress) == PROGRESS_COUNT)
    return diag_set(d, ERR_USAGE, "--progress takes obstruction-free, lock-free or wait-free");
  if (!o->progress || strcmp(o->memory, "sc") == 0) return ERR_NONE;
  diag_hint(d, "a store that is never taken to memory would keep operations waiting that no processor lets wait");
  return diag_set(d, ERR_USAGE, "--progress is asked under --memory=sc alone");
}

enum err scenarios_check_options(const struct options *o, struct diag *d) {
  if (!o->linearizable && (o->scenario || o->model || o->progress || o->crash))
    return diag_set(d, ERR_USAGE, "--%s is for --linearizable",
                    o->scenario   ? "scenario"
                    : o->model    ? "model"
                    : o->progress ? "progress"
                                  : "crash");
  if (!o->linearizable) return ERR_NONE;
  const char *other = o->campaign ? "--campaign" : o->outcomes ? "--outcomes" : o->tests ? "--tests" : NULL;
  if (o->arguments.count) other = "arguments of the program (--)";
  return other ? diag_set(d, ERR_USAGE, "%s and --linearizable exclude each other", other) : check_progress(o, d);
}

static void add_counts(struct explore_counts *to, const struct explore_counts *from) {
  to->executions += from->executions, to->blocked += from->blocked, to->assumed += from->assumed, to->limited += from->limited;
  to->steps += from->steps, to->restarts += from->restarts;
  if (from->longest > to->longest) to->longest = from->longest;
}

static enum explore_reason first_reason(uint32_t reasons) { return (enum explore_reason)__builtin_ctz(reasons); }

/* Was it ended before its end? The exploration that was says so; others have a time of their own (deadline.h). */
static bool is_over(const struct sweep *x) {
  return deadline_passed || ((x->reasons | x->result->reasons) & (1u << EXPLORE_REASON_TIME | 1u << EXPLORE_REASON_INTERRUPTED));
}

/* An exploration of the present scenario is done, and has shown nothing. */
static void add_result(struct sweep *x, const char *name) {
  struct explore_result *r = x->result;
  add_counts(&x->counts, &r->counts);
  x->seconds += r->seconds, x->reasons |= r->reasons;
  for (unsigned k = 0; k < FINDING_COUNT; k++) x->ignored[k] += r->ignored[k];
  if (r->verdict != VERDICT_BOUNDED) return;
  if (x->bounded == 0) text_printf(&x->first, "%s (%s)", name, r->reasons ? explore_reason_text(first_reason(r->reasons)) : "not explored");
  if (!x->present_bounded) x->bounded++;
  x->present_bounded = true;
}

/* A finding of the scenario, in the machine in which it was found. */
static void add_finding(struct sweep *x, const struct schedule *steps) {
  struct run run;
  struct finding found = {0};
  run_init(&run, x->session->m);
  if (progress_shown(&run, x->progress, steps, &found)) {
    struct explore_finding *to = vec_push(&x->result->findings);
    *to = (struct explore_finding){.finding = found, .key = finding_key(&found)};
    schedule_add(&to->schedule, steps->steps.data, steps->steps.count);
    to->switches = schedule_switches(x->session->m, steps->steps.data, steps->steps.count);
    x->result->verdict = VERDICT_BUG;
  } else {
    finding_release(&found);
  }
  run_release(&run);
}

/* The scenario has shown nothing. May its operations be kept from ending? */
static enum err ask_progress(struct sweep *x, const struct scenario *s, const char *name, struct diag *d) {
  struct schedule steps = {0};
  const char *why = "the schedule does not show it again";
  double began = deadline_now();
  enum err e = session_play_on(x->session, s, x->progress, d);
  enum progress_answer answer = e ? PROGRESS_UNKNOWN : progress_search(x->session->m, x->progress, &steps, &why);
  if (answer == PROGRESS_FAILS) add_finding(x, &steps);
  if (answer != PROGRESS_HOLDS && !x->result->findings.count && !e && x->undecided++ == 0) text_printf(&x->unknown, "%s (%s)", name, why);
  x->result->seconds += deadline_now() - began;
  vec_release(&steps.steps);
  return e;
}

/* Steps of one thread within its operations after which it may crash: it may take infinitely many, going round in a loop. */
#define CRASH_MOST 200u

/* The same with a thread that crashes, after so many of its steps. False: this has shown something; or the thread never takes so many
 * steps, or only comes to states by them in which it crashed after fewer, as it goes round in a loop: then so it does by all further ones.
 */
static bool crash_once(struct sweep *x, const struct scenario *s, struct text *name, enum err *e, struct diag *d) {
  struct explore_options own = x->own;
  own.jobs = 1, own.no_races = true; /* each by itself; races were looked for before */
  text_clear(name);
  scenario_text(&x->session->object, s, name);
  size_t known = x->session->crash_states.count;
  *e = session_play(x->session, s, d);
  if (*e) return false;
  explore_result_release(x->result);
  *x->result = (struct explore_result){0};
  *e = explore(x->session->m, &own, x->result, d);
  if (*e || x->result->findings.count) return false;
  add_result(x, text_str(name));
  return x->session->crash_states.count > known && !is_over(x);
}

static enum err crash_everywhere(struct sweep *x, const struct scenario *s, struct text *name, struct diag *d) {
  struct scenario crashing = *s;
  enum err e = ERR_NONE;
  crashing.crashes = true;
  for (uint32_t t = 0; t < s->threads && s->threads > 1 && !e && !x->result->findings.count && !is_over(x); t++) {
    crashing.crash_thread = t, crashing.crash_after = 0;
    hashmap_clear(&x->session->crash_states);
    while (crashing.crash_after <= CRASH_MOST && crash_once(x, &crashing, name, &e, d)) crashing.crash_after++;
    x->late |= crashing.crash_after > CRASH_MOST;
  }
  return e;
}

static void note_stop(struct sweep *x) {
  x->reasons |= 1u << (deadline_passed == DEADLINE_TIME ? EXPLORE_REASON_TIME : EXPLORE_REASON_INTERRUPTED);
}

/* The time is over, or somebody has interrupted it: then it is no error. */
static bool is_stopped(struct sweep *x, enum err *e) {
  if (*e != ERR_INTERRUPTED || !deadline_passed) return false;
  *e = ERR_NONE;
  note_stop(x);
  return true;
}

/* One scenario. False: it is the last one, as it has findings, or there is an error or no time. */
static bool explore_one(struct sweep *x, const struct scenario *s, struct text *name, enum err *e, struct diag *d) {
  text_clear(name);
  scenario_text(&x->session->object, s, name);
  x->size = scenario_size(s);
  explore_result_release(x->result);
  *x->result = (struct explore_result){0};
  on_progress(&(struct explore_progress){.counts = &x->result->counts, .seconds = x->seconds}, x);
  *e = session_play(x->session, s, d);
  if (is_stopped(x, e)) return false; /* while operations ran one after the other */
  uint64_t undecided = x->undecided;
  if (!*e) *e = explore(x->session->m, &x->own, x->result, d);
  if (!*e && x->progress && !x->result->findings.count && !is_over(x)) *e = ask_progress(x, s, text_str(name), d);
  if (is_stopped(x, e) || *e || x->result->findings.count) return false;
  x->present_bounded = false;
  add_result(x, text_str(name));
  if (x->o->crash && !s->crashes && !is_over(x)) *e = crash_everywhere(x, s, name, d);
  if (is_stopped(x, e) || *e || x->result->findings.count) return false;
  /* What is asked besides may not have been. */
  bool late = is_over(x) && (x->progress || x->o->crash);
  if (late && deadline_passed) note_stop(x);
  x->done += !late || x->present_bounded || x->undecided > undecided;
  return !is_over(x);
}

[[gnu::format(printf, 2, 3)]] static void say(struct text *t, const char *format, ...) {
  *t = (struct text){0};
  va_list args;
  va_start(args, format);
  text_vprintf(t, format, args);
  va_end(args);
}

static void say_how_far(const struct sweep *x, struct report *r) {
  const struct options *o = x->o;
  const char *progress = progress_names[x->progress], *and = x->progress ? " and " : "";
  const char *crash = o->crash ? ", also if a thread crashes in an operation" : "";
  if (x->result->findings.count) {
    const char *others = x->bounded || x->undecided ? "" : "; all that come before it were explored completely, and have none";
    if (o->scenario) return;
    say(vec_push(&r->notes), "scenario %" PRIu64 " of %.0f, those with fewest operations first, has a finding%s", x->done + 1, x->total,
        others);
    return;
  }
  if (x->bounded)
    say(vec_push(&r->uncovered), "%" PRIu64 " of %" PRIu64 " scenarios were not explored completely: %s%s", x->bounded, x->done,
        text_str(&x->first), x->bounded > 1 ? ", ..." : "");
  if (x->undecided)
    say(vec_push(&r->uncovered), "of %" PRIu64 " of %" PRIu64 " scenarios it is not known whether they are %s: %s%s", x->undecided, x->done,
        progress, text_str(&x->unknown), x->undecided > 1 ? ", ..." : "");
  if (x->late)
    say(vec_push(&r->uncovered), "threads took more than %u steps within their operations, and did not crash after these", CRASH_MOST);
  if ((double)x->done < x->total)
    say(vec_push(&r->uncovered), "%.0f of %.0f scenarios were not explored, those with most operations", x->total - (double)x->done,
        x->total);
  if (o->scenario)
    text_printf(&r->claim, "linearizable%s%s%s: the scenario %s, explored completely", and, progress, crash, o->scenario);
  else
    text_printf(&r->claim,
                "linearizable%s%s%s: %" PRIu64 " scenario%s of up to %" PRIu64 " thread%s with %" PRIu64
                " operation%s each, all explored completely",
                and, progress, crash, x->done, x->done == 1 ? "" : "s", o->scenario_threads, o->scenario_threads == 1 ? "" : "s",
                o->scenario_operations, o->scenario_operations == 1 ? "" : "s");
}

/* The result of all. */
static void sum_up(struct sweep *x) {
  struct explore_result *r = x->result;
  bool found = r->findings.count > 0;
  if (found) add_counts(&x->counts, &r->counts), x->seconds += r->seconds;
  r->counts = x->counts, r->seconds = x->seconds;
  if (found) return;
  r->reasons |= x->reasons;
  for (unsigned k = 0; k < FINDING_COUNT; k++) r->ignored[k] = x->ignored[k];
  r->verdict = x->bounded || x->undecided || x->late || (double)x->done < x->total ? VERDICT_BOUNDED : VERDICT_SAFE;
}

enum err scenarios_explore(struct session *s, struct session_inputs *inputs, const struct options *o,
                           const struct explore_options *explore_options, struct explore_result *result, struct report *report,
                           struct text *name, struct diag *d) {
  struct sweep x = {.session = s, .o = o, .options = explore_options, .result = result, .total = 1, .own = *explore_options};
  x.progress = progress_named(o->progress);
  if (x.progress && explore_options->ignored >> progress_finding(x.progress) & 1) x.progress = PROGRESS_NOT_ASKED;
  struct scenarios all;
  struct scenario scenario;
  enum err e = ERR_NONE;
  x.own.progress = on_progress, x.own.progress_data = &x;
  if (image_asks_inputs(&s->image)) return diag_set(d, ERR_USAGE, "hd_symbolic() and --linearizable exclude each other");
  if (o->scenario) {
    e = scenario_parse(&scenario, &s->object, o->scenario, d);
    if (!e) explore_one(&x, &scenario, name, &e, d);
  } else {
    e = scenarios_begin(&all, &s->object, o->scenario_threads, o->scenario_operations, o->scenario_arguments, d);
    if (!e) x.total = scenarios_count(&all);
    while (!e && scenarios_next(&all, &scenario) && explore_one(&x, &scenario, name, &e, d)) {
    }
  }
  inputs->scenario = text_str(name);
  if (!e) sum_up(&x), say_how_far(&x, report);
  text_release(&x.first);
  text_release(&x.unknown);
  return e;
}
