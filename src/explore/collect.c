/* What an execution shows: the machine's finding, data races, an outcome. */
#include <stdio.h>
#include <string.h>

#include "base/deadline.h"
#include "explore/session.h"

static const char *role_of(const struct event *e) {
  bool atomic = e->order != ORDER_PLAIN;
  if (e->op == EVENT_READ) return atomic ? "atomic read" : "read";
  if (e->op == EVENT_WRITE) return atomic ? "atomic write" : "write";
  if (e->op == EVENT_RMW) return "atomic update";
  return event_op_text((enum event_op)e->op);
}

static void race_site(struct finding *f, const struct event *trace, uint32_t i) {
  struct finding_site *site = vec_push(&f->sites);
  *site = (struct finding_site){.thread = trace[i].thread, .site = trace[i].site, .event = i};
  snprintf(site->role, sizeof site->role, "%s", role_of(&trace[i]));
}

void race_finding(const struct machine *m, const struct event *trace, struct race_pair pair, struct finding *f) {
  const struct event *a = &trace[pair.first], *b = &trace[pair.second];
  uint64_t from = race_object(a, b);
  uint64_t a_end = a->object + a->size, b_end = b->object + b->size, to = a_end < b_end ? a_end : b_end;
  if (to <= from) to = from + 1; /* the mutex of a wait */
  *f = (struct finding){.kind = FINDING_DATA_RACE, .confirmed = true};
  text_printf(&f->message, "%s and %s of ", role_of(a), role_of(b));
  machine_object_text(m, from, to - from, &f->message);
  text_puts(&f->message, " are not ordered");
  race_site(f, trace, pair.first);
  race_site(f, trace, pair.second);
}

static void finding_copy(struct finding *to, const struct finding *from) {
  *to = (struct finding){.kind = from->kind, .confirmed = from->confirmed};
  text_append(&to->message, from->message.data, from->message.count);
  for (size_t i = 0; i < from->sites.count; i++) *vec_push(&to->sites) = from->sites.data[i];
}

/* Steps needed to make the first `events` events. */
static size_t steps_for(const struct run *run, uint32_t events) {
  size_t i = 0;
  while (i < run->ends.count && run->ends.data[i] < events) i++;
  return i < run->ends.count ? i + 1 : i;
}

/* The event that makes the access visible to others: a buffered store's is its flush. */
static uint32_t visible_at(const struct event *trace, uint32_t n, uint32_t access) {
  const struct event *e = &trace[access];
  if (e->op != EVENT_WRITE || !(e->flags & EVENT_BUFFERED)) return access;
  for (uint32_t i = access + 1; i < n; i++) {
    if (trace[i].op == EVENT_FLUSH && event_flushes_for(&trace[i], e) && flush_store(&trace[i]) == e->index) return i;
  }
  return access;
}

/* Steps needed to show the race. */
static size_t steps_for_race(const struct run *run, struct race_pair pair) {
  uint32_t n;
  const struct event *trace = machine_trace(run->machine, &n);
  uint32_t first = visible_at(trace, n, pair.first), second = visible_at(trace, n, pair.second);
  return steps_for(run, (first > second ? first : second) + 1);
}

void explore_finding_release(struct explore_finding *f) {
  finding_release(&f->finding);
  vec_release(&f->schedule.steps);
  vec_release(&f->trace);
  vec_release(&f->ends);
}

static uint64_t race_key(const struct event *trace, struct race_pair pair) {
  struct finding_site sites[2] = {{.site = trace[pair.first].site}, {.site = trace[pair.second].site}};
  struct finding race = {.kind = FINDING_DATA_RACE, .sites = {sites, 2, 2}};
  return finding_key(&race);
}

/* So many findings keep their executions, whichever stands for whom: so that it can be chosen in the end. */
#define OWN_MOST 64u
/* The executions of findings may be kept up to so many bytes. */
#define KEPT_MOST ((size_t)1 << 28)

static size_t size_of(const struct explore_finding *f) {
  return f->trace.count * sizeof *f->trace.data + f->ends.count * sizeof *f->ends.data + f->schedule.steps.count * sizeof(struct step);
}

/* What the execution just made shows, in its first `steps` steps. `pair`: of a race; else NULL. */
static void fill(const struct session *s, struct explore_finding *to, const struct finding *f, const struct race_pair *pair) {
  *to = (struct explore_finding){.key = finding_key(f), .links = defect_links_of(s->machine, f, pair)};
  finding_copy(&to->finding, f);
}

static void fill_execution(const struct session *s, struct explore_finding *to, size_t steps) {
  const struct run *run = &s->run;
  if (steps == 0) return; /* it happened before the first step */
  schedule_add(&to->schedule, run->steps.steps.data, steps);
  memcpy(vec_push_n(&to->ends, steps), run->ends.data, steps * sizeof(uint32_t));
  uint32_t events = run->ends.data[steps - 1], count;
  const struct event *trace = machine_trace(s->machine, &count);
  if (events) memcpy(vec_push_n(&to->trace, events), trace, events * sizeof *trace);
  to->switches = schedule_switches(s->machine, run->steps.steps.data, steps);
}

/* Without an execution of its own, indices into it mean nothing. */
static void forget_events(struct explore_finding *f) {
  for (size_t i = 0; i < f->finding.sites.count; i++) f->finding.sites.data[i].event = UINT32_MAX;
}

static bool is_linked(const struct session *s, const struct explore_finding *f) {
  for (uint32_t i = 0; i < f->links.count; i++) {
    if (hashmap_find(&s->linked, f->links.links[i])) return true;
  }
  return false;
}

/* Another finding's schedule is enough for this one; not where findings are told to somebody else by their schedules. */
static bool is_stood_for(const struct session *s, const struct explore_finding *f) {
  if (s->board || s->options->campaign || s->result->findings.count <= OWN_MOST) return false;
  return is_linked(s, f) || s->kept > KEPT_MOST;
}

static void add_known(struct session *s, const struct explore_finding *f) {
  hashmap_at(&s->known, f->key, 1, NULL);
  for (uint32_t i = 0; !f->stood_for && i < f->links.count; i++) hashmap_at(&s->linked, f->links.links[i], 1, NULL);
  s->kept += size_of(f);
}

static void forget_known(struct session *s) {
  races_forget(&s->races);
  hashmap_clear(&s->known);
  hashmap_clear(&s->linked);
  s->kept = 0;
}

void collect_know(struct session *s, uint64_t key) {
  *vec_push(&s->result->findings) = (struct explore_finding){.key = key};
  hashmap_at(&s->known, key, 1, NULL);
}

static bool is_known(const struct session *s, uint64_t key) { return hashmap_find(&s->known, key); }

static void add(struct session *s, const struct finding *f, const struct race_pair *pair, size_t steps) {
  if (is_known(s, finding_key(f))) return;
  struct explore_finding *to = vec_push(&s->result->findings);
  fill(s, to, f, pair);
  to->stood_for = is_stood_for(s, to);
  if (to->stood_for)
    forget_events(to);
  else
    fill_execution(s, to, steps);
  add_known(s, to);
  if (s->result->findings.count == 1 && !s->over) session_set_deadline(s);
}

static void add_races(struct session *s) {
  uint32_t n;
  const struct event *trace = machine_trace(s->machine, &n);
  races_find(&s->races, trace, n);
  for (size_t i = 0; i < s->races.found.count; i++) {
    struct finding f;
    struct race_pair pair = s->races.found.data[i];
    if (is_known(s, race_key(trace, pair))) continue;
    race_finding(s->machine, trace, pair, &f);
    add(s, &f, &pair, steps_for_race(&s->run, pair));
    finding_release(&f);
  }
}

/* A deadlock of some threads ends the execution for the others, too, when it is noticed: which of two independent steps comes first decides
 * when that is. So what was written by then is no part of the outcome. */
static void add_outcome(struct session *s, const struct finding *f) {
  struct text text = {0};
  if (f) {
    text_puts(&text, finding_kind_text(f->kind));
  } else {
    text_printf(&text, "exit %d", machine_exit_code(s->machine));
  }
  const struct text *output = machine_output(s->machine, 1);
  text_putc(&text, '\n');
  if (!f || f->kind != FINDING_DEADLOCK) text_append(&text, text_str(output), output->count);
  uint64_t hash = hash_bytes(text.data, text.count, 0);
  uint64_t *index = hashmap_at(&s->outcomes, hash, s->result->outcomes.count, NULL);
  if (*index == s->result->outcomes.count) {
    *vec_push(&s->result->outcomes) = (struct explore_outcome){.hash = hash, .count = 1, .text = text};
  } else {
    s->result->outcomes.data[*index].count++;
    text_release(&text);
  }
}

static void add_findings(struct session *s, const struct finding *f) {
  if (f) add(s, f, NULL, s->run.steps.steps.count);
  if (!s->options->no_races) add_races(s);
}

/* What the run failed with, or NULL; circles of states are looked at more closely before they are taken for livelocks. */
static const struct finding *failure_of(struct session *s, struct finding *own) {
  session_judge_circle(s);
  return run_finding(&s->run, own);
}

void collect_findings(struct session *s) {
  struct finding own = {0};
  add_findings(s, failure_of(s, &own));
  finding_release(&own);
}

void collect(struct session *s) {
  struct finding own = {0};
  const struct finding *f = failure_of(s, &own);
  add_findings(s, f);
  s->ended_well |= !f && !s->run.given_up && s->run.end == EXECUTION_COMPLETE;
  bool counts = !s->run.given_up && (s->run.end == EXECUTION_COMPLETE || s->run.end == EXECUTION_FAILED);
  if (s->options->outcomes && counts) add_outcome(s, f);
  finding_release(&own);
}

void collect_drop(struct session *s, size_t known) {
  struct explore_result *r = s->result;
  if (r->findings.count == known) return;
  while (r->findings.count > known) explore_finding_release(&r->findings.data[--r->findings.count]);
  forget_known(s);
  for (size_t i = 0; i < known; i++) add_known(s, &r->findings.data[i]);
}

/* --- executions in which threads were parked --- */

static bool is_parked(const struct run *r, size_t step) {
  for (size_t i = 0; i < r->parked.count; i++) {
    if (r->parked.data[i].step == step) return true;
  }
  return false;
}

/* The first `n` steps of the run but those in which threads were parked, if they are not the last. */
static struct schedule unparked(const struct run *r, size_t n) {
  struct schedule steps = {0};
  for (size_t i = 0; i < n; i++) {
    if (i + 1 == n || !is_parked(r, i)) schedule_add(&steps, &r->steps.steps.data[i], 1);
  }
  return steps;
}

/* What leads to the two accesses of a race. That of a parked thread comes last: what it reads then may be something else. */
static struct schedule race_unparked(const struct run *r, struct race_pair pair) {
  size_t first = steps_for(r, pair.first + 1) - 1, second = steps_for_race(r, pair);
  struct schedule steps = unparked(r, second);
  if (is_parked(r, first)) schedule_add(&steps, &r->steps.steps.data[first], 1);
  return steps;
}

/* What the execution has shown, and how it is shown without parked threads. */
struct parked_show {
  uint64_t key;
  struct schedule schedule;
};

bool collect_parked(struct session *s, bool races) {
  const struct run *r = &s->run;
  const struct finding *f = run_finding(r, NULL);
  VEC(struct parked_show) shows = {0};
  bool repeats = true;
  if (machine_sharing_changed(s->machine)) return true; /* its steps are not those of another run; the exploration starts again */
  for (size_t i = 0; i < r->parked.count; i++) {
    uint64_t key = r->parked.data[i].key;
    if (!is_known(s, key)) *vec_push(&shows) = (struct parked_show){key, unparked(r, r->parked.data[i].step + 1)};
  }
  if (f && !is_known(s, finding_key(f))) *vec_push(&shows) = (struct parked_show){finding_key(f), unparked(r, r->steps.steps.count)};
  if (races && !s->options->no_races) {
    uint32_t n;
    const struct event *trace = machine_trace(s->machine, &n);
    races_find(&s->races, trace, n);
    for (size_t i = 0; i < s->races.found.count; i++) {
      struct race_pair pair = s->races.found.data[i];
      uint64_t key = race_key(trace, pair);
      if (!is_known(s, key)) *vec_push(&shows) = (struct parked_show){key, race_unparked(r, pair)};
    }
  }
  for (size_t i = 0; i < shows.count; i++) {
    const struct schedule *show = &shows.data[i].schedule;
    if (repeats && !machine_sharing_changed(s->machine) && !is_known(s, shows.data[i].key)) {
      run_begin(&s->run);
      repeats = run_follow(&s->run, show->steps.data, show->steps.count) || machine_sharing_changed(s->machine);
      run_finish(&s->run);
      races_forget(&s->races); /* what was found above is not collected yet */
      if (repeats) collect_findings(s);
    }
    vec_release(&shows.data[i].schedule.steps);
  }
  vec_release(&shows);
  return repeats;
}

/* Finds the run's races anew. */
static const struct event *races_of(struct session *s) {
  uint32_t n;
  const struct event *trace = machine_trace(s->machine, &n);
  races_forget(&s->races);
  races_find(&s->races, trace, n);
  return trace;
}

/* Is that what the finished run shows, and fails with? Fills in `to` (NULL: does not). */
static bool with_failure(struct session *s, uint64_t key, struct explore_finding *to) {
  struct finding own = {0};
  const struct finding *f = failure_of(s, &own);
  bool shows = f && finding_key(f) == key;
  if (shows && to) {
    fill(s, to, f, NULL);
    fill_execution(s, to, s->run.steps.steps.count);
  }
  finding_release(&own);
  return shows;
}

static bool with_race(struct session *s, uint64_t key, struct explore_finding *to, size_t *steps) {
  const struct event *trace = races_of(s);
  for (size_t i = 0; i < s->races.found.count; i++) {
    struct race_pair pair = s->races.found.data[i];
    if (race_key(trace, pair) != key) continue;
    *steps = steps_for_race(&s->run, pair);
    if (to) {
      struct finding race;
      race_finding(s->machine, trace, pair, &race);
      fill(s, to, &race, &pair);
      fill_execution(s, to, *steps);
      finding_release(&race);
    }
    return true;
  }
  return false;
}

static bool with_finding(struct session *s, const struct explore_finding *f, struct explore_finding *to, size_t *steps) {
  if (f->finding.kind == FINDING_DATA_RACE) return !s->options->no_races && with_race(s, f->key, to, steps);
  *steps = s->run.steps.steps.count;
  return with_failure(s, f->key, to);
}

bool collect_shows(struct session *s, const struct explore_finding *f, size_t *steps) { return with_finding(s, f, NULL, steps); }

void collect_shown(struct session *s, bool races, struct shown *to) {
  struct finding own = {0};
  const struct finding *f = failure_of(s, &own);
  if (f) *vec_push(&to->findings) = (struct shown_finding){finding_key(f), s->run.steps.steps.count};
  finding_release(&own);
  if (!races || s->options->no_races) return;
  const struct event *trace = races_of(s);
  for (size_t i = 0; i < s->races.found.count; i++) {
    struct race_pair pair = s->races.found.data[i];
    *vec_push(&to->findings) = (struct shown_finding){race_key(trace, pair), steps_for_race(&s->run, pair)};
  }
}

const struct shown_finding *shown_find(const struct shown *s, uint64_t key) {
  for (size_t i = 0; i < s->findings.count; i++) {
    if (s->findings.data[i].key == key) return &s->findings.data[i];
  }
  return NULL;
}

void collect_update(struct session *s, struct explore_finding *f) {
  struct explore_finding fresh;
  size_t steps;
  bool fewest = f->fewest_preemptions;
  if (!with_finding(s, f, &fresh, &steps)) return;
  fresh.defect = f->defect, fresh.place = f->place;
  explore_finding_release(f);
  *f = fresh;
  f->fewest_preemptions = fewest;
}

/* --- after a restart --- */

static bool same_operation(const struct event *pending, const struct event *old) {
  return pending->object == old->object && pending->site == old->site;
}

/* An access that was not visible before: it went with the step before it. */
static bool is_plain(const struct event *e) {
  return e->op == EVENT_FREE || e->op == EVENT_ALLOC || ((e->op == EVENT_READ || e->op == EVENT_WRITE) && e->order == ORDER_PLAIN);
}

/* The first event of the old schedule's step `i`; NULL if it had none, because it failed. */
static const struct event *event_of(const struct explore_finding *f, size_t i) {
  uint32_t event = i ? f->ends.data[i - 1] : 0;
  return event < f->trace.count ? &f->trace.data[event] : NULL;
}

/* The thread's next step in the old schedule, or NULL. */
static const struct event *next_of(const struct explore_finding *f, size_t from, uint32_t thread) {
  for (size_t i = from; i < f->schedule.steps.count; i++) {
    if (f->schedule.steps.data[i].thread == thread) return event_of(f, i);
  }
  return NULL;
}

/* Makes the thread's stores visible, oldest first. */
static void flush_all(struct session *s, uint32_t thread) {
  uint32_t agent;
  while (run_going(&s->run) && (agent = machine_oldest_flush(s->machine, thread)) < THREADS_MAX)
    run_step(&s->run, (struct step){.thread = agent});
}

static bool go(struct session *s, struct step step) {
  if (!run_going(&s->run)) return false;
  if (!run_possible(&s->run, step)) flush_all(s, step.thread); /* of those that it waits for, some did not show */
  if (!run_going(&s->run) || !run_possible(&s->run, step)) return false;
  run_step(&s->run, step);
  return true;
}

/* Flushes what `old` did, perhaps by another agent. Stores that did not show come first if they are in the way. */
static bool go_flush(struct session *s, uint32_t thread, const struct event *old) {
  uint32_t agent;
  while (run_going(&s->run) && (agent = machine_oldest_flush(s->machine, thread)) < THREADS_MAX) {
    const struct tset *enabled = machine_enabled(s->machine);
    bool found = false;
    for (uint32_t t = tset_next(enabled, AGENTS_FROM); t < THREADS_MAX && !found; t = tset_next(enabled, t + 1)) {
      found = machine_owner(s->machine, t) == thread && same_operation(machine_pending(s->machine, t), old);
      if (found) agent = t;
    }
    run_step(&s->run, (struct step){.thread = agent});
    if (found) return true;
  }
  return false;
}

/* The end of a thread is a step of its own if the thread has stored. */
static bool is_unseen(const struct event *pending, const struct event *next) {
  if (pending->op == EVENT_END) return !next || next->op != EVENT_END;
  return is_plain(pending) && !(next && same_operation(pending, next));
}

/* Takes the steps that did not show in the old schedule: they went with the step before them. `next`: the thread's next step that did. */
static void go_unseen(struct session *s, uint32_t thread, const struct event *next) {
  while (run_going(&s->run) && tset_has(machine_alive(s->machine), thread)) {
    if (!is_unseen(machine_pending(s->machine, thread), next) || !go(s, (struct step){.thread = thread})) return;
  }
}

/* Follows an old schedule where each of its steps may have become several. */
static void retrace(struct session *s, const struct explore_finding *f) {
  run_begin(&s->run);
  for (size_t i = 0; i < f->schedule.steps.count; i++) {
    struct step step = f->schedule.steps.data[i];
    const struct event *first = event_of(f, i);
    if (first && first->op == EVENT_FLUSH) {
      if (!go_flush(s, flush_thread(first), first)) break;
      continue;
    }
    go_unseen(s, step.thread, first);
    if (!go(s, step)) break;
    go_unseen(s, step.thread, next_of(f, i + 1, step.thread));
    if (first && first->op == EVENT_FORK) go_unseen(s, (uint32_t)first->object, next_of(f, i + 1, (uint32_t)first->object));
  }
  run_finish(&s->run);
}

/* Of those that are not shown again now: they are found again if the exploration begins again (`explores`), but for those that others stand
 * for. If nothing is explored any more, or the time is over, they are kept without a schedule. */
static void keep_or_drop(struct session *s, struct explore_finding *f, bool explores) {
  bool keeps = !is_known(s, f->key) && (!explores || deadline_passed || (f->stood_for && is_linked(s, f)));
  if (!keeps) {
    explore_finding_release(f);
    return;
  }
  vec_release(&f->schedule.steps);
  vec_release(&f->trace);
  vec_release(&f->ends);
  f->stood_for = true;
  forget_events(f);
  *vec_push(&s->result->findings) = *f;
  add_known(s, f);
}

void collect_again(struct session *s, bool explores) {
  typeof(s->result->findings) old = s->result->findings;
  memset(&s->result->findings, 0, sizeof s->result->findings);
  forget_known(s);
  for (size_t i = 0; i < old.count; i++) {
    size_t steps;
    if (old.data[i].stood_for || is_known(s, old.data[i].key) || deadline_passed) continue;
    retrace(s, &old.data[i]);
    if (!collect_shows(s, &old.data[i], &steps)) continue;
    races_forget(&s->races);
    collect(s);
  }
  races_forget(&s->races);
  for (size_t i = 0; i < old.count; i++) keep_or_drop(s, &old.data[i], explores);
  vec_release(&old);
}

void explore_result_release(struct explore_result *r) {
  for (size_t i = 0; i < r->findings.count; i++) explore_finding_release(&r->findings.data[i]);
  vec_release(&r->findings);
  for (size_t i = 0; i < r->outcomes.count; i++) text_release(&r->outcomes.data[i].text);
  vec_release(&r->outcomes);
  text_release(&r->refused);
  vec_release(&r->limits);
  vec_release(&r->counters);
}
