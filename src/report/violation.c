#include "report/violation.h"

#include <string.h>

#include "base/hash.h"
#include "machine/machine.h"
#include "program/image.h"
#include "program/insn.h"
#include "report/place.h"
#include "report/schedule_file.h"
#include "report/waypoints.h"
#include "report/witness.h"

#define NONDET_PREFIX "__VERIFIER_nondet_"

/* Where a thread has last made a step. */
struct footprint {
  uint32_t depth; /* frames; 0: none yet */
  uint32_t stack; /* the timeline's */
};

/* What there is at a place: looked for once. */
struct spotted {
  const char *path; /* of the source, as the user named it; NULL: the place is in none */
  struct statement statement;
};

struct making {
  const struct image *image;
  const struct violation_task *task;
  struct witness witness;
  struct waypoints waypoints;
  struct hashmap calls;            /* site: the extern that is called there, one of NONDET_PREFIX */
  VEC(struct task_source) sources; /* as many as the task has */
  struct hashmap spotted_at;       /* place: index of `spotted` */
  VEC(struct spotted) spotted;
  uint32_t ids[THREADS_MAX];          /* by tid: the number in the witness */
  struct footprint seen[THREADS_MAX]; /* by tid */
  uint32_t told[THREADS_MAX];         /* by tid: how many waypoints it has */
  struct hashmap visits;              /* of a thread since its last waypoint: statements */
  uint32_t threads;                   /* that have a number */
};

/* A place in one of the task's files. */
struct found {
  const struct task_source *source;
  size_t offset;
};

static void find_calls(struct making *g) {
  const struct image *image = g->image;
  for (uint32_t i = 0; i < image->nfunctions; i++) {
    const struct image_function *f = &image->functions[i];
    for (uint32_t at = f->code; at < f->code + f->ncode; at += insn_words(&image->code[at])) {
      if (image->code[at].op != OP_CALLX) continue;
      uint32_t callee = image->code[at + 1].lo;
      const char *name = image_string(image, image->externs[callee].name);
      if (strncmp(name, NONDET_PREFIX, sizeof NONDET_PREFIX - 1) == 0) hashmap_at(&g->calls, image->code_sites[at], callee, NULL);
    }
  }
}

static bool find(const struct making *g, const struct place *place, const char *word, struct found *to) {
  for (size_t i = 0; i < g->sources.count && place->line; i++) {
    to->source = &g->sources.data[i];
    if (task_source_find(to->source, place, word, &to->offset)) return true;
  }
  return false;
}

/* Holds until the next call. */
static const struct spotted *spot_place(struct making *g, const struct place *place) {
  bool is_new;
  uint64_t key = hash_pair((uint64_t)(uintptr_t)place->file, (uint64_t)place->line << 32 | place->column);
  uint64_t *index = hashmap_at(&g->spotted_at, key, g->spotted.count, &is_new);
  if (!is_new) return &g->spotted.data[*index];
  struct spotted *spotted = vec_push(&g->spotted);
  struct found at;
  *spotted = (struct spotted){0};
  if (!find(g, place, NULL, &at)) return spotted;
  spotted->path = at.source->path;
  spotted->statement = task_source_statement(at.source, at.offset);
  return spotted;
}

static struct waypoint *add(struct making *g, enum waypoint_type type, uint32_t tid, const struct found *at, const struct place *place) {
  struct waypoint *p = vec_push(&g->waypoints.list);
  *p = (struct waypoint){.type = type, .thread = g->ids[tid], .file = at->source->path, .function = place->function};
  p->spot = task_source_spot(at->source, at->offset);
  g->told[tid]++;
  return p;
}

/* A call of __VERIFIER_nondet_*() returns. Where a macro hides its brackets, the macro's place stands for them. */
static void add_result(struct making *g, const struct moment *moment) {
  const uint64_t *callee = hashmap_find(&g->calls, moment->e.site);
  struct place place = place_of_site(g->image, moment->e.site);
  struct machine_nondet value;
  struct found at;
  if (!callee || g->ids[moment->thread] == WAYPOINT_NO_THREAD) return;
  const char *name = image_string(g->image, g->image->externs[*callee].name);
  if (!machine_nondet(g->witness.replayer.m, name, &moment->e, &value) || !find(g, &place, name, &at)) return;
  struct waypoint *p = add(g, WAYPOINT_FUNCTION_RETURN, moment->thread, &at, &place);
  struct spot open, close;
  if (task_source_call(at.source, at.offset, &open, &close)) p->spot = close;
  waypoint_result(&value, &p->constraint);
}

/* A thread is created, and gets its number. Those that create threads and check witnesses of version 2.2 name the bracket that opens. */
static void add_thread(struct making *g, const struct moment *moment) {
  struct found at;
  uint32_t child = (uint32_t)moment->e.object;
  if (child >= THREADS_MAX) return;
  g->ids[child] = WAYPOINT_NO_THREAD;
  g->seen[child] = (struct footprint){0};
  if (g->ids[moment->thread] == WAYPOINT_NO_THREAD || !find(g, &moment->place, NULL, &at)) return;
  struct waypoint *p = add(g, WAYPOINT_FUNCTION_ENTER, moment->thread, &at, &moment->place);
  struct spot open, close;
  if (task_source_call(at.source, at.offset, &open, &close)) p->spot = open;
  g->ids[child] = g->threads++;
  g->waypoints.has_threads = true;
}

/* The number of frames from the outermost to the one that the moment's place is in: 0 if it is in none. */
static uint32_t depth_of(const struct making *g, const struct moment *moment) {
  const uint32_t *stack = g->witness.timeline.stacks.data + moment->stack;
  for (uint32_t i = 0; i < moment->nstack; i++) {
    struct place place = place_of_site(g->image, stack[i]);
    if (place.column == moment->place.column && place_same_line(&place, &moment->place)) return moment->nstack - i;
  }
  return 0;
}

static bool same_spot(struct spot a, struct spot b) { return a.line == b.line && a.column == b.column; }

/* Was the thread, when it made its last step, in that statement already, or in a function that was called from there? Then it need not
 * have come to it since. */
static bool was_there(struct making *g, const struct moment *moment, uint32_t depth, const struct statement *statement) {
  const struct footprint *seen = &g->seen[moment->thread];
  if (depth == 0) return true;
  if (seen->depth < depth) return false;
  uint32_t site = g->witness.timeline.stacks.data[seen->stack + seen->depth - depth];
  struct place place = place_of_site(g->image, site);
  const struct spotted *last = spot_place(g, &place);
  return !last->path || same_spot(last->statement.begin, statement->begin);
}

/* The thread makes a step in the statement. Is it the first since its last waypoint? */
static bool visits_first(struct making *g, uint32_t thread, const struct spotted *at) {
  bool is_new;
  uint64_t where = hash_pair((uint64_t)(uintptr_t)at->path, (uint64_t)at->statement.begin.line << 32 | at->statement.begin.column);
  hashmap_at(&g->visits, hash_pair(where, (uint64_t)thread << 32 | g->told[thread]), 0, &is_new);
  return is_new;
}

/* The thread comes to the statement of its step, which is told if it `is_wanted` and can be said. A loop's head is evaluated again without
 * being come to; and where the thread has come to the statement before, since its last waypoint, it would not be said which time is meant.
 */
static void add_stop(struct making *g, const struct moment *moment, bool is_wanted) {
  if (g->ids[moment->thread] == WAYPOINT_NO_THREAD) return;
  struct spotted at = *spot_place(g, &moment->place);
  if (!at.path || at.statement.kind == STATEMENT_LOOP) return;
  bool was = was_there(g, moment, depth_of(g, moment), &at.statement), first = visits_first(g, moment->thread, &at);
  if (!is_wanted || was || !first) return;
  struct waypoint *p = vec_push(&g->waypoints.list);
  *p = (struct waypoint){.type = WAYPOINT_ASSUMPTION, .thread = g->ids[moment->thread], .file = at.path, .spot = at.statement.begin};
  p->function = moment->place.function;
  text_puts(&p->constraint, "1");
  g->told[moment->thread]++;
  (void)visits_first(g, moment->thread, &at); /* it is there now */
}

static bool is_step(const struct making *g, size_t i) {
  const struct moment *moments = g->witness.timeline.moments.data;
  return i == 0 || moments[i].step != moments[i - 1].step;
}

/* The thread of the next step behind moment i; UINT32_MAX: there is none. */
static uint32_t next_thread(const struct making *g, size_t i) {
  for (i++; i < g->witness.timeline.moments.count; i++)
    if (is_step(g, i)) return g->witness.timeline.moments.data[i].thread;
  return UINT32_MAX;
}

/* Is it something that a thread does where it is, so that its place is one that the thread has come to? */
static bool is_deed(enum event_op op) { return op != EVENT_BEGIN && op != EVENT_END && op != EVENT_FORK && op != EVENT_FLUSH; }

/* The event at which the execution has come to the first of the places that the target names: behind that, nothing can be said to come
 * before the target. */
static uint32_t last_event(const struct making *g) {
  const struct finding *finding = &g->witness.finding;
  uint32_t last = UINT32_MAX;
  for (size_t i = 0; i < finding->sites.count && i < 2 && finding->kind == FINDING_DATA_RACE; i++)
    if (finding->sites.data[i].event < last) last = finding->sites.data[i].event;
  return last;
}

static void add_waypoints(struct making *g) {
  const struct timeline *timeline = &g->witness.timeline;
  uint32_t last = last_event(g), before = UINT32_MAX;
  for (size_t i = 0; i < timeline->moments.count; i++) {
    const struct moment *moment = &timeline->moments.data[i];
    if (moment->event != UINT32_MAX && moment->event >= last) return;
    bool step = is_step(g, i), switches = step && (before != moment->thread || next_thread(g, i) != moment->thread);
    enum event_op op = (enum event_op)moment->e.op;
    if (step && g->waypoints.has_threads && moment->event != UINT32_MAX && is_deed(op)) add_stop(g, moment, switches);
    if (step) before = moment->thread;
    if (op == EVENT_CHOICE) add_result(g, moment);
    if (op == EVENT_FORK) add_thread(g, moment);
    uint32_t depth = step ? depth_of(g, moment) : 0;
    if (depth) g->seen[moment->thread] = (struct footprint){depth, moment->stack + (moment->nstack - depth)};
  }
}

static enum err outside(const struct place *place, struct diag *d) {
  struct text where = {0};
  place_text(place, &where);
  diag_set(d, ERR_UNSUPPORTED, "the violation is at %s, which is in none of the sources that were named", text_str(&where));
  text_release(&where);
  return ERR_UNSUPPORTED;
}

/* A stop at the target's own statement says nothing more. */
static void drop_stop(struct making *g, const struct waypoint *target) {
  if (g->waypoints.list.count == 0) return;
  struct waypoint *p = &vec_last(&g->waypoints.list);
  bool same = p->type == WAYPOINT_ASSUMPTION && p->thread == target->thread && p->file == target->file && same_spot(p->spot, target->spot);
  if (same) text_release(&vec_pop(&g->waypoints.list).constraint);
}

static enum err add_target(struct making *g, uint32_t tid, const struct place *place, struct diag *d) {
  const struct spotted *at = spot_place(g, place);
  if (!at->path) return outside(place, d);
  struct waypoint target = {.type = WAYPOINT_TARGET, .thread = g->ids[tid], .file = at->path, .function = place->function};
  target.spot = at->statement.begin;
  drop_stop(g, &target);
  target.spot = at->statement.expression;
  *vec_push(&g->waypoints.list) = target;
  return ERR_NONE;
}

/* Memory is lost for good when the process ends: in a call of exit(), or where main() returns, which is in no record. */
static enum err add_end(struct making *g, struct diag *d) {
  uint32_t sites[64], n = machine_stack(g->witness.replayer.m, 0, sites, 64);
  struct place place = place_of_stack(g->image, sites, n);
  struct found at;
  if (n && find(g, &place, NULL, &at)) return add_target(g, 0, &place, d);
  return diag_set(d, ERR_UNSUPPORTED, "where main() returned, which is where the memory is lost, is not recorded");
}

static enum err add_targets(struct making *g, struct diag *d) {
  const struct witness *w = &g->witness;
  if (w->finding.kind == FINDING_LEAK) return add_end(g, d);
  size_t n = w->finding.kind == FINDING_DATA_RACE ? 2 : 1;
  if (w->finding.sites.count < n) return diag_set(d, ERR_UNSUPPORTED, "the finding has no place");
  enum err e = ERR_NONE;
  for (size_t i = 0; i < n && !e; i++) e = add_target(g, w->finding.sites.data[i].thread, &w->places.data[i], d);
  return e;
}

static enum err read_sources(struct making *g, struct diag *d) {
  enum err e = ERR_NONE;
  for (size_t i = 0; i < g->task->nfiles && !e; i++) {
    struct task_source source;
    e = task_source_read(&source, g->task->files[i], d);
    if (!e) *vec_push(&g->sources) = source;
  }
  return e;
}

enum err violation_text(struct machine *m, const struct image *image, const struct schedule_file *schedule,
                        const struct violation_task *task, struct text *out, struct diag *d) {
  struct making g = {.image = image, .task = task, .threads = 1};
  memset(g.ids + 1, 0xff, sizeof g.ids - sizeof g.ids[0]);
  find_calls(&g);
  enum err e = read_sources(&g, d);
  if (!e) e = witness_make(&g.witness, m, image, schedule, NULL, d);
  if (!e && !g.witness.shown) e = diag_set(d, ERR_DIVERGED, "running the schedule again did not show the finding");
  if (!e) add_waypoints(&g);
  if (!e) e = add_targets(&g, d);
  if (!e) e = waypoints_write(&g.waypoints, task, out, d);
  witness_release(&g.witness);
  waypoints_release(&g.waypoints);
  hashmap_release(&g.calls);
  hashmap_release(&g.spotted_at);
  hashmap_release(&g.visits);
  vec_release(&g.spotted);
  for (size_t i = 0; i < g.sources.count; i++) task_source_release(&g.sources.data[i]);
  vec_release(&g.sources);
  return e;
}
