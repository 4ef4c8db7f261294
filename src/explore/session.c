#include "explore/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "execution/livelock.h"
#include "states/commons.h"

#define LOOK_STEPS     20000u /* steps between two looks at the clock */
#define SHORTEN_PART   10u    /* of the time: kept for shortening, as soon as there is anything to shorten */
#define INPUTS_PART    0.5    /* of the time: for inputs, if there is something to be sampled behind that (inputs.c) */
#define LAST_SECONDS   0.2    /* after the time, to collect what an execution had shown that was cut short */
#define CARRY_TRIES    8u     /* each shows more shared memory than the last; what is lost then is found again */
#define HUNGRY_SECONDS 0.02   /* least that a worker does before it gives back what it has: others may do a part of it */

const char *explore_reason_text(enum explore_reason reason) {
  static const char *const texts[] = {
#define X(name, text) text,
      EXPLORE_REASON_LIST(X)
#undef X
  };
  return texts[reason];
}

/* Of several the one that comes first in the alphabet, so that it does not matter who met which first. */
void session_refused(struct session *s, const struct text *why) {
  struct text *known = &s->result->refused;
  if (why->count == 0 || (known->count && strcmp(text_str(known), text_str(why)) <= 0)) return;
  text_clear(known);
  text_append(known, text_str(why), why->count);
}

static bool is_ignored(const struct session *s, const struct explore_finding *f) { return s->options->ignored >> f->finding.kind & 1; }

size_t session_asked(const struct session *s) {
  size_t n = 0;
  if (!s->options->ignored) return s->result->findings.count;
  for (size_t i = 0; i < s->result->findings.count; i++) n += !is_ignored(s, &s->result->findings.data[i]);
  return n;
}

bool session_has_enough(const struct session *s) { return s->options->findings && session_asked(s) >= s->options->findings; }

void session_because(struct session *s, enum explore_reason reason) { s->result->reasons |= 1u << reason; }

void session_progress(struct session *s, double time, double done) {
  const struct explore_options *o = s->options;
  double passed = time - s->last_progress;
  if (!o->progress || passed < 0.1) return;
  struct explore_progress p = {.counts = &s->result->counts,
                               .seconds = time - s->started,
                               .per_second = (double)(s->made - s->made_at_progress) / passed,
                               .depth = (uint32_t)s->run.steps.steps.count,
                               .findings = (uint32_t)session_asked(s),
                               .done = done};
  o->progress(&p, o->progress_data);
  s->last_progress = time;
  s->made_at_progress = s->made;
}

/* Of the time that there is, a part is kept for shortening what was found. */
static double explore_seconds(const struct session *s) {
  const struct explore_options *o = s->options;
  bool shortens = o->shorten_runs && session_asked(s);
  double seconds = shortens ? o->seconds - o->seconds / SHORTEN_PART : o->seconds;
  return session_may_sample(s) && !shortens ? seconds * INPUTS_PART : seconds;
}

void session_set_deadline(const struct session *s) {
  if (s->options->seconds && !s->board) deadline_set(s->since + explore_seconds(s));
}

void session_look(struct session *s) {
  if (s->board) return; /* the master knows why */
  if (deadline_passed == DEADLINE_INTERRUPTED) session_because(s, EXPLORE_REASON_INTERRUPTED);
  if (deadline_passed == DEADLINE_TIME) session_because(s, EXPLORE_REASON_TIME);
}

bool session_over(struct session *s) {
  const struct explore_options *o = s->options;
  if (deadline_passed) session_look(s), s->over = true;
  if (s->over) return true;
  s->steps_since_look += s->run.steps.steps.count + 100;
  if (s->steps_since_look < LOOK_STEPS) return false;
  s->steps_since_look = 0;
  double time = deadline_now();
  if (s->board && (s->board->stop || (s->board->hungry && time - s->started > HUNGRY_SECONDS))) return true;
  session_progress(s, time, o->strategy->progress ? o->strategy->progress(s->strategy) : -1);
  return s->board && o->seconds && time - s->started >= o->seconds; /* the end of a worker's slice is no deadline */
}

static void note_refusal(struct session *s) {
  session_because(s, EXPLORE_REASON_REFUSED);
  session_refused(s, &machine_diag(s->machine)->message);
}

static enum explore_reason why_limited(const struct session *s) {
  if (s->run.too_long) return EXPLORE_REASON_STEPS;
  if (machine_buffer_full(s->machine)) return EXPLORE_REASON_BUFFER;
  static const enum explore_reason data[] = {
      [DATA_NO_LIMIT] = EXPLORE_REASON_LOOPS, [DATA_CALLS] = EXPLORE_REASON_CALLS, [DATA_DECISIONS] = EXPLORE_REASON_DECISIONS};
  return data[machine_data_limit(s->machine)];
}

static void count(struct session *s) {
  struct explore_counts *c = &s->result->counts;
  uint32_t steps = (uint32_t)s->run.steps.steps.count;
  s->made++;
  c->steps += steps;
  if (steps > c->longest) c->longest = steps;
  if (s->run.loops.cut || machine_unended(s->machine)) session_because(s, EXPLORE_REASON_LOOPS);
  if (s->options->tested && s->run.end != EXECUTION_ASSUMED) session_note_input(s);
  if (s->run.given_up) {
    c->blocked++;
    return;
  }
  switch (s->run.end) {
    case EXECUTION_COMPLETE:
    case EXECUTION_FAILED:
      c->executions++;
      break;
    case EXECUTION_CIRCLE:
      c->blocked++;
      break;
    case EXECUTION_ASSUMED:
      c->assumed++;
      break;
    case EXECUTION_STUCK:
      c->executions++;
      session_because(s, EXPLORE_REASON_OUTSIDE);
      break;
    case EXECUTION_LIMIT:
      c->limited++;
      if (machine_status(s->machine) == MACHINE_UNSUPPORTED) {
        note_refusal(s);
        break;
      }
      session_because(s, why_limited(s));
      break;
  }
}

static void keep_lesson(struct session *s) {
  struct schedule *lesson = vec_push(&s->lessons);
  *lesson = (struct schedule){0};
  schedule_add(lesson, s->run.steps.steps.data, s->run.steps.steps.count);
}

void session_restart(struct session *s, bool shared) {
  s->result->counts.restarts++;
  s->options->strategy->restart(s->strategy);
  if (s->options == &s->sweep) machine_explores_paths(s->machine);
  if (s->options->campaign) keep_lesson(s);
  if (s->predictor) predictor_restart(s->predictor, 0);
  /* What a finding's schedule shows when it is carried over may be that still more memory is shared. */
  for (unsigned tries = 0; shared && tries < CARRY_TRIES; tries++) {
    collect_again(s, true);
    shared = machine_sharing_changed(s->machine);
  }
  session_forget(s);
}

/* So many executions come to what Heddle lacks, and no other: then all do, as far as anybody will wait for. */
#define REFUSALS_MOST 64

static bool refused_alone(const struct session *s) {
  const struct explore_result *r = s->result;
  return (r->reasons >> EXPLORE_REASON_REFUSED & 1) && r->counts.executions == 0 && r->findings.count == 0;
}

enum err session_refusal(const struct session *s, struct diag *d) {
  return refused_alone(s) ? diag_set(d, ERR_UNSUPPORTED, "%s", text_str(&s->result->refused)) : ERR_NONE;
}

bool session_waits_longer(struct session *s) {
  const struct explore_result *r = s->result;
  if (s->options->campaign || r->findings.count || (r->reasons & ~(1u << EXPLORE_REASON_LOOPS | REASONS_OF_INPUTS))) return false;
  if (!machine_wait_longer(s->machine)) return false;
  session_restart(s, false);
  commons_free(s->commons);
  s->commons = NULL;
  return !session_over(s);
}

static bool diverged(const struct session *s, enum err *e, struct diag *d) {
  *e = diag_set(d, ERR_DIVERGED, "the program does not repeat itself: after %zu steps of a known schedule it stands elsewhere",
                s->run.steps.steps.count);
  return false;
}

bool session_parks(const struct session *s) {
  return s->options->strategy->parks && !s->no_parking && !s->options->outcomes && !s->predictor;
}

/* Has a failure been passed over for something that does not end by itself, and would if the process ended with that failure? */
static bool goes_on_in_vain(const struct session *s) {
  return s->run.parked.count && !s->run.given_up && (s->run.livelock.found || s->run.end == EXECUTION_LIMIT);
}

/* Starts again; failures then end executions. */
static bool without_parking(struct session *s) {
  s->no_parking = s->learnt = true;
  if (s->board) return false;
  session_restart(s, false);
  return !session_over(s);
}

/* --- what prediction asks of an exploration (predict.h) --- */

static bool knows_race(void *data, uint64_t sites) {
  struct session *s = data;
  return hashmap_find(&s->races.known, sites);
}

static bool has_enough(void *data) { return session_has_enough(data); }

static bool is_over(void *data) { return session_over(data); }
static void collect_witness(void *data) { collect_findings(data); }

/* Asks about the finished execution. */
static void predict_more(struct session *s) {
  const struct predict_client client = {.run = &s->run,
                                        .no_races = s->options->no_races,
                                        .knows_race = knows_race,
                                        .has_enough = has_enough,
                                        .is_over = is_over,
                                        .collect = collect_witness,
                                        .data = s};
  if (!predict(s->predictor, &client)) note_refusal(s);
}

/* The time ended in the midst of an execution. What it has shown so far is true; the strategy hears nothing of it, and cannot go on. */
static bool cut_short(struct session *s) {
  struct explore_counts *c = &s->result->counts;
  uint32_t steps = (uint32_t)s->run.steps.steps.count;
  (void)session_over(s);
  s->made++, c->limited++, c->steps += steps;
  if (steps > c->longest) c->longest = steps;
  deadline_renew(deadline_now() + LAST_SECONDS);
  if (s->run.parked.count)
    (void)collect_parked(s, true);
  else
    collect_findings(s);
  if (machine_sharing_changed(s->machine)) collect_again(s, false);
  deadline_renew(0); /* what comes next has a time of its own */
  return false;
}

/* --- circles of states --- */

void session_judge_circle(struct session *s) {
  struct livelock *l = &s->run.livelock;
  if (!l->found || !l->known || l->judged) return;
  enum way_out way;
  bool is_new;
  uint64_t *left = hashmap_at(&s->circles, hash_pair(l->state.lo, l->state.hi), 0, &is_new);
  if (is_new) {
    if (!livelock_search(&s->run, &way)) {
      hashmap_clear(&s->circles);
      return;
    }
    *left = way == WAY_OUT ? 1 : way == WAY_INPUT ? 2 : 0;
  }
  l->judged = true, l->left = *left;
  run_finish(&s->run);
  for (uint32_t t = tset_next(&l->enabled, 0); *left == 1 && t < THREADS_MAX; t = tset_next(&l->enabled, t + 1))
    if (machine_pending(s->machine, t)->op != EVENT_FLUSH) machine_remark_thread(s->machine, t, REMARK_CIRCLE);
}

/* Steps after which threads that take turns must have come back to a state, or there are too many of these. */
#define ENDLESS_STEPS (1u << 20)

/* The sweep has come to states that no schedule within its bound leaves: a livelock, which an execution shows in which threads take turns.
 */
static void collect_endless(struct session *s, const struct schedule *to) {
  struct run *r = &s->run;
  uint32_t thread = 0;
  run_begin(r);
  if (!run_follow(r, to->steps.data, to->steps.count)) return;
  /* With a bound on preemptions, a schedule beyond it may end all the same; with other values of inputs, any may. */
  enum way_out way = WAY_NONE;
  bool bounded = s->options->strategy_options.bound != UINT32_MAX || machine_remarked_anywhere(s->machine, REMARK_SAMPLED);
  if (bounded && (machine_status(s->machine) != MACHINE_RUNNING || !livelock_search(r, &way) || way == WAY_OUT || way == WAY_INPUT)) return;
  for (uint32_t i = 0; i < ENDLESS_STEPS && run_going(r) && !deadline_passed; i++) {
    thread = tset_next(machine_enabled(s->machine), thread + 1);
    if (thread == THREADS_MAX) thread = tset_next(machine_enabled(s->machine), 0);
    run_step(r, (struct step){.thread = thread});
  }
  r->livelock.judged = true;
  run_finish(r);
  if (r->livelock.found) collect_findings(s);
}

/* False: more memory turned out to be shared by what was run here. (If it was by the execution before, the exploration has begun again, and
 * there are no such states.) */
static bool collect_livelocks(struct session *s) {
  const struct schedule *to;
  if (!sweep_endless(s->strategy, 0)) return true;
  for (size_t i = 0; (to = sweep_endless(s->strategy, i)) && !machine_sharing_changed(s->machine); i++) collect_endless(s, to);
  sweep_forget_endless(s->strategy);
  return !machine_sharing_changed(s->machine);
}

bool session_one(struct session *s, enum err *e, struct diag *d) {
  const struct explore_options *o = s->options;
  if (o->executions && s->made >= o->executions && !o->strategy->in_blocks) { /* those count for themselves, from the last restart on */
    session_because(s, EXPLORE_REASON_EXECUTIONS);
    return false;
  }
  const struct schedule *prefix = o->strategy->next(s->strategy);
  if (o == &s->sweep && !collect_livelocks(s)) {
    session_restart(s, true);
    return !session_over(s);
  }
  if (!prefix) {
    if (deadline_passed) (void)session_over(s); /* it may have looked no further */
    return false;
  }
  s->run.parks = session_parks(s);
  s->run.unwatched = o != &s->sweep && o->strategy_options.cutoffs;
  s->run.circles = o->strategy->exhaustive;
  s->run.input_circles = o->strategy->exhaustive && o != &s->sweep && machine_is_symbolic(s->machine);
  bool followed = run_with(&s->run, o->strategy, s->strategy, prefix);
  s->run.parks = s->run.circles = s->run.input_circles = s->run.unwatched = false;
  if (!followed) {
    return diverged(s, e, d);
  }
  if (s->run.stopped) return cut_short(s);
  if (s->board) {
    vec_clear(&s->shown.steps);
    schedule_add(&s->shown, s->run.steps.steps.data, s->run.steps.steps.count);
    s->shown_uses = machine_uses_known(s->machine);
  }
  if (goes_on_in_vain(s)) return without_parking(s);
  struct execution x = run_view(&s->run);
  o->strategy->done(s->strategy, &x, s->run.end, s->run.cut, s->run.given_up);
  session_judge_circle(s);
  count(s);
  s->run.stopped = deadline_passed;
  bool look = !s->run.given_up || (o->strategy->suspects && o->strategy->suspects(s->strategy));
  if (s->run.parked.count) { /* if more memory is shared now, that execution cannot be repeated: it will be found again */
    if (!machine_sharing_changed(s->machine) && !collect_parked(s, look)) return without_parking(s);
  } else if (look) {
    collect(s);
  }
  if (refused_alone(s) && !s->board && s->result->counts.limited >= REFUSALS_MOST) return false;
  if (s->predictor && !s->run.given_up) predict_more(s);
  /* Asked after collect(): what this execution found is carried over. */
  bool shared = machine_sharing_changed(s->machine);
  if (shared || (o->strategy->again && o->strategy->again(s->strategy))) {
    s->learnt = true;
    if (s->board) return false;
    session_restart(s, shared);
  }
  /* Going on would explore ever longer turns of the same circle: session_sweeps() does not. */
  if (s->run.livelock.found && s->run.livelock.known && o->strategy->exhaustive) {
    session_because(s, EXPLORE_REASON_LIVELOCK);
    return false;
  }
  if (session_has_enough(s)) {
    session_because(s, EXPLORE_REASON_FINDINGS);
    return false;
  }
  if (session_may_sample(s) && session_ends_inputs(s)) return false;
  return !session_over(s);
}

void session_note_limit(struct session *s, const char *limit) {
  session_because(s, EXPLORE_REASON_LIMITS);
  for (size_t i = 0; i < s->result->limits.count; i++)
    if (s->result->limits.data[i] == limit) return;
  *vec_push(&s->result->limits) = limit;
}

void session_ask_strategy(struct session *s) {
  const struct strategy_type *type = s->options->strategy;
  if (type->bounded(s->strategy)) session_because(s, type->exhaustive ? EXPLORE_REASON_BOUND : EXPLORE_REASON_STRATEGY);
  const char *limit;
  for (unsigned i = 0; type->limit && (limit = type->limit(s->strategy, i)); i++) session_note_limit(s, limit);
}

struct session_search session_searched(const struct session *s) {
  struct session_search n = s->others;
  struct machine_search here;
  if (!machine_search(s->machine, &here)) return n;
  n.inputs += here.inputs, n.pending += here.pending, n.questions += here.questions;
  n.engine += here.engine, n.undecided += here.undecided, n.nanoseconds += here.nanoseconds;
  return n;
}

static void tell_counters(struct session *s) {
  struct explore_result *r = s->result;
  const struct strategy_type *type = s->options->strategy;
  if (type->counters) r->counters.count = type->counters(s->strategy, vec_push_n(&r->counters, STRATEGY_COUNTERS));
  if (s->predictor) {
    r->predicted = predictor_counts(s->predictor);
    unsigned n = predictor_counters(s->predictor, vec_push_n(&r->counters, PREDICTOR_COUNTERS));
    r->counters.count -= PREDICTOR_COUNTERS - n;
  }
  if (!machine_is_symbolic(s->machine)) return;
  const struct session_search n = session_searched(s);
  const struct strategy_counter counters[] = {
      {.name = "inputs", .number = n.inputs + 1},   {.name = "pending", .number = n.pending},
      {.name = "questions", .number = n.questions}, {.name = "engine", .number = n.engine},
      {.name = "undecided", .number = n.undecided}, {.name = "solver", .number = n.nanoseconds, .is_time = true},
  };
  memcpy(vec_push_n(&r->counters, sizeof counters / sizeof *counters), counters, sizeof counters);
}

/* Findings of one kind in the same line, or pair of lines, are reported once. */
static uint64_t lines_key(const struct session *s, const struct finding *f) {
  uint64_t lines[2] = {0, 0};
  for (size_t i = 0; i < f->sites.count && i < 2; i++) {
    if (f->sites.data[i].site == UINT32_MAX) continue;
    const struct image_site *site = &machine_image(s->machine)->sites[f->sites.data[i].site];
    lines[i] = hash_pair((uint64_t)site->function << 32 | site->file, site->line);
  }
  bool swap = lines[0] > lines[1];
  return hash_pair(hash_pair((uint64_t)f->kind, lines[swap]), lines[!swap]);
}

void session_ignore(struct session *s, uint64_t lines, enum finding_kind kind) {
  bool is_new;
  hashmap_at(&s->ignored, lines, kind, &is_new);
  s->result->ignored[kind] += is_new;
}

/* Ignored findings become numbers. Those of some kinds end the process, or come when it has ended, or are no end at all; behind the others
 * it may go on in some way that the language leaves open, and that was not looked at. */
void session_leave_out(struct session *s) {
  const uint32_t whole = 1u << FINDING_ASSERTION | 1u << FINDING_ABORT | 1u << FINDING_UNCAUGHT_EXCEPTION | 1u << FINDING_DATA_RACE |
                         1u << FINDING_DEADLOCK | 1u << FINDING_LOST_WAKEUP | 1u << FINDING_LEAK | 1u << FINDING_NULL_DEREFERENCE |
                         1u << FINDING_DIVISION_BY_ZERO | 1u << FINDING_LIVELOCK;
  struct explore_result *r = s->result;
  size_t kept = 0;
  for (size_t i = 0; i < r->findings.count; i++) {
    struct explore_finding *f = &r->findings.data[i];
    if (!is_ignored(s, f)) {
      r->findings.data[kept++] = *f;
      continue;
    }
    session_ignore(s, lines_key(s, &f->finding), f->finding.kind);
    if (!(whole >> f->finding.kind & 1)) session_because(s, EXPLORE_REASON_IGNORED);
    explore_finding_release(f);
  }
  r->findings.count = kept;
}

static void decide(struct session *s) {
  struct explore_result *r = s->result;
  const struct explore_counts *c = &r->counts;
  session_ask_strategy(s);
  tell_counters(s);
  session_leave_out(s);
  /* An execution may go on for ever. */
  bool endless = s->options == &s->sweep || (s->options->strategy_options.cutoffs && c->blocked);
  if (c->executions + c->limited == 0 && c->assumed > 0 && !endless) session_because(s, EXPLORE_REASON_VACUOUS);
  if (machine_remarked_anywhere(s->machine, REMARK_SAMPLED)) session_because(s, EXPLORE_REASON_SAMPLED);
  r->verdict = r->findings.count ? VERDICT_BUG : r->reasons ? VERDICT_BOUNDED : VERDICT_SAFE;
}

/* Runs that shorten one schedule can show that more memory is shared; then all schedules are carried over, and shortened again. */
static void shorten_all(struct session *s) {
  uint32_t ignored[FINDING_COUNT];
  memcpy(ignored, s->result->ignored, sizeof ignored);
  for (unsigned tries = 0; tries < CARRY_TRIES && !shorten(s); tries++) {
    collect_again(s, false);
    session_leave_out(s);
    group_findings(s);
  }
  memcpy(s->result->ignored, ignored, sizeof ignored); /* those are the same again */
}

static int by_text(const void *a, const void *b) {
  const struct explore_outcome *x = a, *y = b;
  return strcmp(text_str(&x->text), text_str(&y->text));
}

void session_renew_strategy(struct session *s, uint64_t memory) {
  const struct explore_options *o = s->options;
  struct strategy_options options = o->strategy_options;
  options.outcomes = o->outcomes, options.no_races = o->no_races;
  options.no_livelocks = o->ignored >> FINDING_LIVELOCK & 1;
  if (memory) options.memory = memory;
  if (s->strategy) o->strategy->destroy(s->strategy);
  s->strategy = o->strategy->create(&options);
}

static bool may_sweep(const struct session *s) {
  const uint32_t passed = 1u << EXPLORE_REASON_LIVELOCK | 1u << EXPLORE_REASON_LOOPS | 1u << EXPLORE_REASON_BUFFER | REASONS_OF_INPUTS;
  const struct explore_options *o = s->options;
  bool stopped = (s->result->reasons >> EXPLORE_REASON_LIVELOCK & 1) && !(s->result->reasons & ~passed);
  return stopped && o->strategy->exhaustive && !session_has_enough(s);
}

bool session_sweeps(struct session *s) {
  if (s->options == &s->sweep || !may_sweep(s)) return false;
  uint32_t bound = s->options->strategy_options.bound;
  s->options->strategy->destroy(s->strategy);
  s->strategy = NULL;
  commons_free(s->commons);
  predictor_free(s->predictor);
  s->commons = NULL, s->predictor = NULL;
  if (!s->options->strategy->bounds) bound = UINT32_MAX;
  s->sweep = *s->options;
  s->sweep.strategy = &strategy_sweep, s->sweep.jobs = 1, s->sweep.campaign = NULL, s->sweep.strategy_options.bound = bound;
  s->options = &s->sweep;
  session_renew_strategy(s, 0);
  session_restart(s, false);
  return !session_over(s);
}

void session_begin(struct session *s, struct machine *m, const struct explore_options *options, struct explore_result *r) {
  *s = (struct session){.machine = m, .options = options, .result = r, .started = deadline_now()};
  s->last_progress = s->started;
  s->since = options->since > 0 ? options->since : s->started;
  session_set_deadline(s);
  run_init(&s->run, m);
  s->run.step_limit = options->step_limit;
  s->run.loops.bound = options->loop_bound;
  session_renew_strategy(s, 0);
  uint64_t block = options->strategy->in_blocks ? STRATEGY_BLOCK : 0;
  if (options->predict) s->predictor = predictor_new(!options->strategy->asks_reads, block, options->predict_window);
}

void session_conclude(struct session *s, bool shortens) {
  struct explore_result *r = s->result;
  decide(s);
  group_findings(s);
  if (s->options->shorten_runs && shortens && !(r->reasons >> EXPLORE_REASON_INTERRUPTED & 1)) {
    if (s->options->seconds) deadline_set(s->since + s->options->seconds);
    shorten_all(s);
  }
  if (r->outcomes.count) qsort(r->outcomes.data, r->outcomes.count, sizeof *r->outcomes.data, by_text);
  r->seconds = deadline_now() - s->started;
}

void session_release(struct session *s) {
  s->options->strategy->destroy(s->strategy);
  commons_free(s->commons);
  predictor_free(s->predictor);
  run_release(&s->run);
  races_release(&s->races);
  hashmap_release(&s->outcomes);
  hashmap_release(&s->known);
  hashmap_release(&s->linked);
  hashmap_release(&s->circles);
  hashmap_release(&s->ignored);
  for (size_t i = 0; i < s->lessons.count; i++) vec_release(&s->lessons.data[i].steps);
  vec_release(&s->lessons);
  vec_release(&s->shown.steps);
  vec_release(&s->bank.outcomes);
  session_forget_input(s);
  vec_release(&s->given);
  hashmap_release(&s->given_known);
}
