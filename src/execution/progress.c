#include "execution/progress.h"

#include <stdio.h>

#include "base/deadline.h"
#include "execution/livelock.h"
#include "objects/history.h"
#include "program/object.h"
#include "states/visited.h"

#define STATES_MOST 65536u
/* Steps to a state behind which no further ones are looked for. Where states never recur, as a count grows, there is one such way without
 * end, and each state costs its length. */
#define DEPTH_MOST 4096u

/* A state, and the step of the graph that first led to it. */
struct reached {
  uint32_t by;
  uint32_t depth;
};

struct search {
  struct run run;
  enum progress_condition asked;
  struct progress_graph graph;
  VEC(struct step) steps; /* of the graph, as the machine takes them */
  VEC(struct reached) states;
  struct visited known;
  const char *unknown; /* why the graph is not all there is; NULL: it is */
};

static const enum finding_kind kinds[PROGRESS_COUNT] = {
    [PROGRESS_OBSTRUCTION_FREE] = FINDING_NOT_OBSTRUCTION_FREE,
    [PROGRESS_LOCK_FREE] = FINDING_NOT_LOCK_FREE,
    [PROGRESS_WAIT_FREE] = FINDING_NOT_WAIT_FREE,
};

enum finding_kind progress_finding(enum progress_condition asked) { return kinds[asked]; }

enum progress_condition progress_of_finding(enum finding_kind kind) {
  for (unsigned i = PROGRESS_NOT_ASKED + 1; i < PROGRESS_COUNT; i++)
    if (kinds[i] == kind) return (enum progress_condition)i;
  return PROGRESS_NOT_ASKED;
}

/* --- what threads are doing --- */

/* Of the scenario's thread. */
struct doing {
  uint32_t tid;   /* THREADS_MAX: it has not begun an operation */
  uint32_t ended; /* operations */
  bool in;        /* an operation */
};

static struct doing doing_of(const struct machine *m, uint32_t thread) {
  struct doing d = {.tid = THREADS_MAX};
  size_t n;
  const struct history_event *events = machine_operations(m, &n);
  for (size_t i = 0; i < n; i++) {
    if (events[i].what == HISTORY_CLOSES || events[i].thread != thread) continue;
    d.tid = events[i].tid, d.in = events[i].what == HISTORY_BEGINS;
    d.ended += events[i].what == HISTORY_ENDS;
  }
  return d;
}

static uint32_t threads_of(const struct machine *m) { return machine_options(m)->scenario->threads; }

static uint32_t scenario_thread(const struct machine *m, uint32_t tid) {
  for (uint32_t t = 0; t < threads_of(m); t++)
    if (machine_scenario_thread(m, t) == tid) return t;
  return PROGRESS_NOBODY;
}

static uint32_t ends_of(const struct machine *m) {
  size_t n, ends = 0;
  const struct history_event *events = machine_operations(m, &n);
  for (size_t i = 0; i < n; i++) ends += events[i].what == HISTORY_ENDS;
  return (uint32_t)ends;
}

/* Do all threads that are left wait? They did not end otherwise. */
static bool is_stuck(const struct machine *m) {
  if (machine_status(m) == MACHINE_RUNNING) return false;
  if (machine_status(m) == MACHINE_BLOCKED) return true;
  if (machine_status(m) != MACHINE_FAILED) return false;
  enum finding_kind kind = machine_finding(m)->kind;
  return kind == FINDING_DEADLOCK || kind == FINDING_LOST_WAKEUP || kind == FINDING_LIVELOCK;
}

/* Is it in an operation that cannot go on unless others do something? */
static bool waits(const struct machine *m, struct doing d) {
  if (!d.in || !tset_has(machine_alive(m), d.tid)) return false;
  return is_stuck(m) || (machine_status(m) == MACHINE_RUNNING && !tset_has(machine_enabled(m), d.tid));
}

/* --- the graph --- */

static void path_to(const struct search *s, uint32_t state, struct schedule *to) {
  vec_clear(&to->steps);
  uint32_t depth = s->states.data[state].depth;
  if (depth == 0) return;
  struct step *steps = vec_push_n(&to->steps, depth);
  for (; depth > 0; state = s->graph.steps.data[s->states.data[state].by].from) steps[--depth] = s->steps.data[s->states.data[state].by];
}

static void add_step(struct search *s, uint32_t from, uint32_t to, uint32_t thread, bool ends, struct step step) {
  *vec_push(&s->graph.steps) = (struct progress_step){from, to, thread, ends};
  *vec_push(&s->steps) = step;
}

/* What the present state is not known to go on with. */
static void note_end(struct search *s) {
  const struct machine *m = s->run.machine;
  if (machine_unended(m) || machine_status(m) == MACHINE_LIMIT) s->unknown = "an operation has a step that goes on for long";
  if (machine_status(m) == MACHINE_UNSUPPORTED) s->unknown = "an operation needs what Heddle lacks";
  if (machine_status(m) == MACHINE_FAILED && !is_stuck(m)) s->unknown = "an operation fails";
}

/* The number of the present state, to which the graph's next step leads. */
static uint32_t number_of(struct search *s, uint32_t depth) {
  bool running = machine_status(s->run.machine) == MACHINE_RUNNING;
  struct fingerprint key = running ? machine_state(s->run.machine) : (struct fingerprint){0, 0};
  uint32_t number = running ? visited_find(&s->known, key) : NOT_VISITED;
  if (number != NOT_VISITED) return number;
  number = (uint32_t)s->states.count;
  *vec_push(&s->states) = (struct reached){.by = (uint32_t)s->graph.steps.count, .depth = depth};
  if (running) visited_add(&s->known, key, number);
  note_end(s);
  return number;
}

/* Goes to the state. False: the search begins again, or ends. */
static bool go_to(struct search *s, const struct schedule *path) {
  struct run *r = &s->run;
  run_return(r, path->steps.data, path->steps.count);
  size_t known = r->steps.steps.count;
  return run_follow(r, path->steps.data + known, path->steps.count - known);
}

static bool is_cut(const struct search *s) { return deadline_passed || machine_sharing_changed(s->run.machine); }

static bool take(struct search *s, uint32_t state, const struct schedule *path, struct step step) {
  struct machine *m = s->run.machine;
  if (!go_to(s, path)) return false;
  uint32_t ends = ends_of(m);
  run_step(&s->run, step);
  if (is_cut(s)) return false;
  bool ended = ends_of(m) > ends;
  uint32_t to = number_of(s, s->states.data[state].depth + 1);
  add_step(s, state, to, scenario_thread(m, step.thread), ended, step);
  return true;
}

/* Adds the steps from a state. */
static bool expand(struct search *s, uint32_t state, struct schedule *path) {
  struct machine *m = s->run.machine;
  if (s->states.data[state].depth >= DEPTH_MOST) {
    s->unknown = "there are states more than 4,096 steps away";
    return true;
  }
  path_to(s, state, path);
  if (!go_to(s, path)) return false;
  for (uint32_t t = 0; t < threads_of(m); t++)
    if (waits(m, doing_of(m, t))) add_step(s, state, state, t, false, (struct step){.thread = THREADS_MAX});
  if (machine_status(m) != MACHINE_RUNNING) return true;
  if (s->run.marks.count == 0 || vec_last(&s->run.marks).depth < path->steps.count) run_keep(&s->run);
  struct tset enabled = *machine_enabled(m);
  for (uint32_t t = tset_next(&enabled, 0); t < THREADS_MAX; t = tset_next(&enabled, t + 1)) {
    if (!go_to(s, path)) return false;
    uint32_t ways = machine_alternatives(m, t);
    for (uint32_t choice = 0; choice < ways; choice++)
      if (!take(s, state, path, (struct step){t, choice})) return false;
  }
  return true;
}

static void forget(struct search *s) {
  vec_clear(&s->graph.steps);
  vec_clear(&s->steps);
  vec_clear(&s->states);
  visited_clear(&s->known);
  s->unknown = NULL;
}

/* Makes the graph, as far as it goes. Memory that turns out to be shared makes more steps, and so another graph. */
static void explore_all(struct search *s) {
  struct schedule path = {0};
  bool again;
  do {
    forget(s);
    run_begin(&s->run);
    number_of(s, 0);
    bool going = true;
    for (uint32_t i = 0; i < s->states.count && s->states.count < STATES_MOST && going; i++) going = expand(s, i, &path);
    again = machine_sharing_changed(s->run.machine) && !deadline_passed;
    if (!going) s->unknown = "the program does not repeat itself";
  } while (again);
  vec_release(&path.steps);
  if (s->states.count >= STATES_MOST) s->unknown = "there are more than 65,536 states";
  if (deadline_passed) s->unknown = deadline_passed == DEADLINE_TIME ? "the time limit was reached" : "the search was interrupted";
  s->graph.states = (uint32_t)s->states.count;
}

enum progress_answer progress_search(struct machine *m, enum progress_condition asked, struct schedule *to, const char **why) {
  struct search s = {.asked = asked};
  struct progress_circle circle = {0};
  run_init(&s.run, m);
  s.run.unwatched = true;
  explore_all(&s);
  progress_find(&s.graph, asked, threads_of(m), &circle);
  if (circle.steps.count) {
    const struct progress_step *first = &s.graph.steps.data[circle.steps.data[0]];
    bool waiting = s.steps.data[circle.steps.data[0]].thread == THREADS_MAX;
    path_to(&s, first->from, to);
    for (size_t i = 0; i < circle.steps.count && !waiting; i++) *vec_push(&to->steps) = s.steps.data[circle.steps.data[i]];
  }
  *why = s.unknown;
  enum progress_answer answer = circle.steps.count ? PROGRESS_FAILS : s.unknown ? PROGRESS_UNKNOWN : PROGRESS_HOLDS;
  run_release(&s.run);
  vec_release(&s.graph.steps);
  vec_release(&s.steps);
  vec_release(&s.states);
  vec_release(&circle.steps);
  visited_release(&s.known);
  return answer;
}

/* --- what is shown --- */

/* Of an execution: the state behind each number of steps, and which thread's operation the step before it ended. */
struct moment {
  struct fingerprint state;
  uint32_t thread;
  bool ends;
};

struct moments {
  VEC(struct moment) list;
};

/* Is it a circle of the kind, from behind `from` steps to the end? Then *thread is one that does not end its operation. */
static bool is_circle(const struct machine *m, enum progress_condition asked, const struct moments *all, size_t from, uint32_t *thread) {
  const struct moment *last = &vec_last(&all->list);
  if (!fingerprint_equal(all->list.data[from].state, last->state)) return false;
  for (uint32_t t = 0; t < threads_of(m); t++) {
    bool steps = false, ends = false, others = false, others_end = false;
    for (const struct moment *at = &all->list.data[from + 1]; at <= last; at++) {
      bool own = at->thread == t;
      steps |= own, ends |= own && at->ends, others |= !own, others_end |= !own && at->ends;
    }
    *thread = t;
    bool alone = asked != PROGRESS_OBSTRUCTION_FREE || !others;
    if (steps && !ends && alone && !(asked == PROGRESS_LOCK_FREE && others_end) && doing_of(m, t).in) return true;
  }
  return false;
}

static void call_text(const struct machine *m, uint32_t thread, struct text *to) {
  const struct scenario *s = machine_options(m)->scenario;
  struct object object = {0};
  struct doing d = doing_of(m, thread);
  image_object(machine_image(m), &object);
  scenario_call_text(&object, &s->calls[thread][d.ended % s->count[thread]], to);
  text_printf(to, " of thread %s", machine_thread_name(m, d.tid));
  vec_release(&object.operations);
}

static void describe(const struct machine *m, enum progress_condition asked, uint32_t thread, struct finding *f) {
  static const char *const texts[PROGRESS_COUNT] = {
      [PROGRESS_OBSTRUCTION_FREE] = " does not end while all others stand still",
      [PROGRESS_LOCK_FREE] = " does not end, nor does any other operation",
      [PROGRESS_WAIT_FREE] = " does not end, however many steps it takes",
  };
  *f = (struct finding){.kind = progress_finding(asked), .confirmed = true};
  call_text(m, thread, &f->message);
  text_puts(&f->message, texts[asked]);
}

static void add_waiting(const struct machine *m, uint32_t tid, struct finding *f) {
  struct finding_site *site = vec_push(&f->sites);
  *site = (struct finding_site){.thread = tid, .site = machine_pending(m, tid)->site, .event = UINT32_MAX};
  snprintf(site->role, sizeof site->role, "waits");
}

static bool find_waiting(const struct machine *m, enum progress_condition asked, struct finding *to) {
  for (uint32_t t = 0; t < threads_of(m); t++) {
    struct doing d = doing_of(m, t);
    if (!waits(m, d)) continue;
    describe(m, asked, t, to);
    text_puts(&to->message, ": it waits for others");
    add_waiting(m, d.tid, to);
    return true;
  }
  return false;
}

static bool find_circle(const struct run *r, enum progress_condition asked, const struct moments *all, struct finding *to) {
  const struct machine *m = r->machine;
  uint32_t thread;
  size_t n = all->list.count - 1;
  for (size_t from = n; from-- > 0 && machine_status(m) == MACHINE_RUNNING;) {
    if (!is_circle(m, asked, all, from, &thread)) continue;
    describe(m, asked, thread, to);
    text_printf(&to->message, ": the last %zu step%s lead%s back to the same state", n - from, n - from == 1 ? "" : "s",
                n - from == 1 ? "s" : "");
    livelock_sites(m, from ? r->ends.data[from - 1] : 0, to);
    return true;
  }
  return false;
}

bool progress_shown(struct run *r, enum progress_condition asked, const struct schedule *steps, struct finding *to) {
  struct machine *m = r->machine;
  struct moments all = {0};
  bool watched = !r->unwatched, followed = true;
  r->unwatched = true;
  run_begin(r);
  *vec_push(&all.list) = (struct moment){machine_state(m), PROGRESS_NOBODY, false};
  for (size_t i = 0; i < steps->steps.count && followed; i++) {
    uint32_t ends = ends_of(m);
    followed = run_follow(r, &steps->steps.data[i], 1);
    if (!followed) break;
    struct fingerprint state = machine_status(m) == MACHINE_RUNNING ? machine_state(m) : (struct fingerprint){0, 0};
    *vec_push(&all.list) = (struct moment){state, scenario_thread(m, steps->steps.data[i].thread), ends_of(m) > ends};
  }
  bool shown = followed && !machine_sharing_changed(m) && (find_circle(r, asked, &all, to) || find_waiting(m, asked, to));
  r->unwatched = !watched;
  vec_release(&all.list);
  return shown;
}
