#include "report/replayer.h"

#include <inttypes.h>
#include <string.h>

#include "base/deadline.h"
#include "machine/machine.h"
#include "report/action.h"
#include "report/place.h"
#include "report/schedule_file.h"
#include "trace/schedule.h"

/* Accesses that a thread may make between two listed steps before it counts as lost. */
#define PASSED_MAX (1u << 26)
#define STACK_MAX  64

/* A command's time to report may end before the schedule does. */
static enum err no_time(struct diag *d) { return diag_set(d, ERR_INTERRUPTED, "there was no time left for that"); }

static bool is_agent(const struct machine *m, uint32_t thread) { return machine_pending(m, thread)->op == EVENT_FLUSH; }

static void describe(struct schedule_file *f, const struct machine *m, const struct image *image, uint32_t thread, uint32_t choice,
                     struct schedule_step *s) {
  const struct event *e = machine_pending(m, thread);
  struct place place = place_of_site(image, e->site);
  bool has_object = e->op != EVENT_FORK && e->op != EVENT_JOIN && e->op != EVENT_END; /* tids mean nothing in another process */
  *s = (struct schedule_step){.thread = schedule_intern(f, machine_thread_name(m, thread)),
                              .repeat = 1,
                              .choice = choice,
                              .op = (enum event_op)e->op,
                              .file = schedule_intern(f, place.file),
                              .function = schedule_intern(f, place.function),
                              .line = place.line,
                              .column = place.column,
                              .object = has_object ? e->object : 0,
                              .size = has_object && e->object ? e->size : 0};
}

/* "reads counter = 0", and where the program is if the step lies in a library. */
static uint32_t comment(struct schedule_file *f, const struct machine *m, const struct image *image, uint32_t event,
                        const struct place *own) {
  uint32_t count;
  const struct event *trace = machine_trace(m, &count);
  struct text t = {0};
  if (event < count) {
    action_text(NULL, image, m, &trace[event], NULL, &t);
    struct place place = place_of_site(image, trace[event].site);
    if (own->line && !place_same_line(own, &place)) {
      text_puts(&t, ", for ");
      place_text(own, &t);
    }
  }
  uint32_t offset = schedule_intern(f, text_str(&t));
  text_release(&t);
  return offset;
}

static struct place own_place(const struct machine *m, const struct image *image, uint32_t thread) {
  uint32_t sites[STACK_MAX];
  return place_of_stack(image, sites, machine_stack(m, thread, sites, STACK_MAX));
}

static bool is_blocking(enum finding_kind kind) {
  return kind == FINDING_DEADLOCK || kind == FINDING_LOST_WAKEUP || kind == FINDING_LIVELOCK;
}

/* A thread that failed stands nowhere, nor does one whose step has no end. */
static void record_stops(struct machine *m, const struct image *image, struct schedule_file *f) {
  const struct tset *alive = machine_alive(m);
  const struct finding *finding = machine_status(m) == MACHINE_FAILED ? machine_finding(m) : NULL;
  uint32_t failed = finding && finding->sites.count && !is_blocking(finding->kind) ? finding->sites.data[0].thread : UINT32_MAX;
  for (uint32_t t = tset_next(alive, 0); t < THREADS_MAX; t = tset_next(alive, t + 1)) {
    if (t == failed || is_agent(m, t) || machine_pending(m, t)->op == EVENT_NONE) continue;
    struct schedule_step s;
    describe(f, m, image, t, 0, &s);
    *vec_push(&f->stops) = s;
  }
}

/* What is a step only if its memory is shared. */
static bool needs_sharing(const struct event *e) {
  return e->op == EVENT_FREE || e->op == EVENT_ALLOC || ((e->op == EVENT_READ || e->op == EVENT_WRITE) && e->order == ORDER_PLAIN);
}

static void share(struct schedule_file *f, struct hashmap *known, const struct event *e) {
  bool is_new = false;
  if (needs_sharing(e) && e->object) hashmap_at(known, hash_pair(e->object, e->size), 0, &is_new);
  if (is_new) *vec_push(&f->shared) = (struct schedule_range){e->object, e->size};
}

/* Notes the memory whose plain accesses are visible: those of the trace, and those that threads stand before. `known` has those that
 * threads stood before when they were interrupted. */
static void record_shared(const struct machine *m, struct schedule_file *f, struct hashmap *known) {
  uint32_t count;
  const struct event *trace = machine_trace(m, &count);
  const struct tset *alive = machine_alive(m);
  for (uint32_t i = 0; i < count; i++) share(f, known, &trace[i]);
  for (uint32_t t = tset_next(alive, 0); t < THREADS_MAX; t = tset_next(alive, t + 1)) share(f, known, machine_pending(m, t));
}

static void record_data(const struct machine *m, struct schedule_file *f) {
  struct text bytes = {0};
  vec_clear(&f->data);
  for (size_t i = 0; i < machine_inputs(m); i++) {
    struct machine_input input = machine_input(m, i);
    text_clear(&bytes);
    for (size_t k = 0; k < input.size; k++) text_printf(&bytes, "%02x", input.bytes[k]);
    struct schedule_data data = {.thread = schedule_intern(f, input.thread), .number = input.number};
    data.name = schedule_intern(f, input.name);
    data.bytes = schedule_intern(f, text_str(&bytes));
    *vec_push(&f->data) = data;
  }
  text_release(&bytes);
}

static enum err record_steps(struct machine *m, const struct image *image, const struct schedule *schedule, struct schedule_file *f,
                             struct hashmap *known, struct diag *d) {
  for (size_t i = 0; i < schedule->steps.count; i++) {
    const struct step *step = &schedule->steps.data[i];
    if (deadline_passed) return no_time(d);
    if (step->thread >= THREADS_MAX || !tset_has(machine_enabled(m), step->thread) || step->choice >= machine_alternatives(m, step->thread))
      return diag_set(d, ERR_DIVERGED, "step %zu of a schedule cannot be taken: thread %s is not ready", i + 1,
                      step->thread < THREADS_MAX ? machine_thread_name(m, step->thread) : "?");
    struct schedule_step s;
    describe(f, m, image, step->thread, step->choice, &s);
    struct place own = own_place(m, image, step->thread);
    uint32_t event;
    machine_trace(m, &event);
    if (machine_interruption(m, step->thread, step->choice)) share(f, known, machine_pending(m, step->thread));
    machine_step(m, step->thread, step->choice);
    s.comment = comment(f, m, image, event, &own);
    schedule_append(f, &s);
  }
  return ERR_NONE;
}

enum err replayer_record(struct machine *m, const struct image *image, const struct schedule *schedule, struct schedule_file *f,
                         struct diag *d) {
  struct hashmap known = {0};
  f->content = image->header->content;
  machine_reset(m);
  enum err e = record_steps(m, image, schedule, f, &known, d);
  if (e == ERR_NONE) {
    record_stops(m, image, f);
    record_data(m, f);
    record_shared(m, f, &known);
  }
  hashmap_release(&known);
  return e;
}

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Does the pending event `e` fit the step `s`? */
static bool fits(const struct replayer *r, const struct schedule_step *s, const struct event *e) {
  if (s->op != (enum event_op)e->op) return false;
  struct place place = place_of_site(r->image, e->site);
  if (s->line != place.line || s->column != place.column) return false;
  if (strcmp(schedule_string(r->file, s->function), place.function) != 0) return false;
  if (!r->same_program) return true; /* its file may have another name, its objects other addresses */
  if (strcmp(last_part(schedule_string(r->file, s->file)), last_part(place.file)) != 0) return false;
  return s->object == 0 || s->object == e->object;
}

/* Where the thread of that name stands at the end, or NULL. */
static const struct schedule_step *stop_of(const struct replayer *r, const char *name) {
  for (size_t i = 0; i < r->file->stops.count; i++)
    if (strcmp(schedule_string(r->file, r->file->stops.data[i].thread), name) == 0) return &r->file->stops.data[i];
  return NULL;
}

static uint32_t *passed_site(struct replayer *r, uint32_t thread) {
  while (r->passed_site.count <= thread) *vec_push(&r->passed_site) = UINT32_MAX;
  return &r->passed_site.data[thread];
}

static bool is_passed_store(const struct replayer *r, uint32_t thread, const struct event *flush) {
  for (size_t i = 0; i < r->passed_stores.count; i++) {
    const struct passed_store *store = &r->passed_stores.data[i];
    if (store->thread == thread && store->index == flush_store(flush)) return true;
  }
  return false;
}

/* The enabled agent, from tid `agent` on, of the thread, or THREADS_MAX. */
static uint32_t agent_of(const struct replayer *r, uint32_t thread, uint32_t agent) {
  const struct tset *enabled = machine_enabled(r->m);
  for (agent = tset_next(enabled, agent); agent < THREADS_MAX; agent = tset_next(enabled, agent + 1))
    if (is_agent(r->m, agent) && machine_owner(r->m, agent) == thread) return agent;
  return THREADS_MAX;
}

static void step(struct replayer *r, uint32_t thread, uint32_t choice) {
  struct step made = {.thread = thread, .choice = choice};
  schedule_add(&r->made, &made, 1);
  machine_step(r->m, thread, choice);
}

/* Flushes those of the thread's stores that were passed over, as far as their order allows it. */
static void flush_passed(struct replayer *r, uint32_t thread) {
  uint32_t agent = 0;
  while (r->passed_stores.count && (agent = agent_of(r, thread, agent)) < THREADS_MAX) {
    bool passed = is_passed_store(r, thread, machine_pending(r->m, agent));
    if (passed) step(r, agent, 0);
    agent = passed ? 0 : agent + 1;
  }
}

/* Lets `thread` make the plain accesses that are not listed, up to the step `target` (NULL: as far as they go, and to the failure behind:
 * schedule files did not list failures as steps of their own once). */
static void pass(struct replayer *r, uint32_t thread, const struct schedule_step *target) {
  *passed_site(r, thread) = UINT32_MAX;
  for (uint32_t n = 0; n < PASSED_MAX && machine_status(r->m) == MACHINE_RUNNING && !deadline_passed; n++) {
    if (!tset_has(machine_enabled(r->m), thread)) return;
    const struct event *e = machine_pending(r->m, thread);
    bool unlisted = needs_sharing(e) || (target && machine_rests(r->m, thread));
    if (target ? !unlisted || fits(r, target, e) : !unlisted && !event_fails(e)) return;
    uint32_t *site = passed_site(r, thread);
    if (*site == UINT32_MAX) *site = e->site;
    struct passed_store store = {.thread = e->thread};
    bool stores = e->op == EVENT_WRITE && (e->flags & EVENT_BUFFERED);
    machine_trace(r->m, &store.index);
    step(r, thread, 0);
    if (!stores || machine_status(r->m) != MACHINE_RUNNING) continue;
    uint32_t count;
    store.index = machine_trace(r->m, &count)[store.index].index;
    *vec_push(&r->passed_stores) = store;
    flush_passed(r, thread);
  }
}

void replayer_start(struct replayer *r, struct machine *m, const struct image *image, const struct schedule_file *file) {
  *r = (struct replayer){.m = m, .image = image, .file = file, .same_program = image->header->content == file->content};
  struct hashmap next = {0};
  uint32_t n = (uint32_t)file->steps.count;
  if (n) memset(vec_push_n(&r->later, n), 0xff, n * sizeof *r->later.data);
  for (uint32_t i = n; i-- > 0;) {
    uint64_t *at = hashmap_at(&next, file->steps.data[i].thread, UINT32_MAX, NULL);
    r->later.data[i] = (uint32_t)*at;
    *at = i;
  }
  hashmap_release(&next);
  for (size_t i = 0; r->same_program && i < file->shared.count; i++)
    machine_share(m, file->shared.data[i].object, file->shared.data[i].size);
  replayer_restart(r);
}

/* After the last step: lets the threads that did not move since go on to where they stand in the schedule. */
static void pass_to_stops(struct replayer *r) {
  struct tset alive = *machine_alive(r->m);
  for (uint32_t t = tset_next(&alive, 0); t < THREADS_MAX && machine_status(r->m) == MACHINE_RUNNING; t = tset_next(&alive, t + 1))
    if (!is_agent(r->m, t)) pass(r, t, stop_of(r, machine_thread_name(r->m, t)));
}

void replayer_restart(struct replayer *r) {
  machine_reset(r->m);
  r->entry = r->taken = 0;
  r->step = 0;
  r->last = UINT32_MAX;
  vec_clear(&r->made.steps);
  vec_clear(&r->passed_site);
  vec_clear(&r->passed_stores);
  if (replayer_ended(r)) pass_to_stops(r);
}

void replayer_release(struct replayer *r) {
  vec_release(&r->made.steps);
  vec_release(&r->later);
  vec_release(&r->passed_site);
  vec_release(&r->passed_stores);
  *r = (struct replayer){0};
}

bool replayer_ended(const struct replayer *r) { return r->entry >= r->file->steps.count; }

static void step_sentence(const struct replayer *r, const struct schedule_step *s, struct text *out) {
  text_printf(out, "step %" PRIu64 " does not fit the program: thread %s should do %s at ", r->step + 1,
              schedule_string(r->file, s->thread), event_op_text(s->op));
  schedule_place_text(r->file, s, out);
}

static enum err diverged(struct replayer *r, const struct schedule_step *s, uint32_t thread, const char *why, struct diag *d) {
  struct text t = {0};
  step_sentence(r, s, &t);
  if (why) {
    text_printf(&t, ", but %s", why);
  } else {
    const struct event *e = machine_pending(r->m, thread);
    uint32_t passed = *passed_site(r, thread);
    struct place place = place_of_site(r->image, passed != UINT32_MAX ? passed : e->site);
    text_printf(&t, ", but stands before %s at ", passed != UINT32_MAX ? "an access" : event_op_text((enum event_op)e->op));
    place_text(&place, &t);
  }
  diag_set(d, ERR_DIVERGED, "%s", text_str(&t));
  text_release(&t);
  if (!r->same_program) diag_hint(d, "the program has changed since the schedule was made: check it again");
  return ERR_DIVERGED;
}

/* The agent of the flush that is meant; of a program that has changed, the one with the oldest store that it may be. */
static enum err next_flush(struct replayer *r, const struct schedule_step *s, uint32_t *agent, struct diag *d) {
  uint32_t thread = machine_owner(r->m, *agent), found = THREADS_MAX;
  for (uint32_t a = agent_of(r, thread, 0); a < THREADS_MAX; a = agent_of(r, thread, a + 1)) {
    if (!fits(r, s, machine_pending(r->m, a))) continue;
    if (found == THREADS_MAX || flush_store(machine_pending(r->m, a)) < flush_store(machine_pending(r->m, found))) found = a;
  }
  if (found == THREADS_MAX) return diverged(r, s, *agent, "no such store can become visible now", d);
  *agent = found;
  return ERR_NONE;
}

enum err replayer_next(struct replayer *r, uint32_t *thread, struct diag *d) {
  const struct schedule_step *s = &r->file->steps.data[r->entry];
  if (deadline_passed) return no_time(d);
  uint32_t t = machine_thread_find(r->m, schedule_string(r->file, s->thread));
  *thread = t;
  if (machine_status(r->m) != MACHINE_RUNNING) return diverged(r, s, t, "the execution has ended", d);
  if (s->op == EVENT_FLUSH && t < THREADS_MAX) return next_flush(r, s, thread, d);
  if (t >= THREADS_MAX || !tset_has(machine_alive(r->m), t))
    return diverged(r, s, t, s->op == EVENT_FLUSH ? "it has not stored yet" : "there is no such thread", d);
  if (r->last != t) pass(r, t, s); /* it has just begun, or the schedule does */
  if (deadline_passed) return no_time(d);
  if (machine_status(r->m) != MACHINE_RUNNING) return diverged(r, s, t, "the execution ends before that", d);
  if (!fits(r, s, machine_pending(r->m, t))) return diverged(r, s, t, NULL, d);
  if (!tset_has(machine_enabled(r->m), t)) return diverged(r, s, t, "it is blocked", d);
  if (s->choice >= machine_alternatives(r->m, t)) return diverged(r, s, t, "there are fewer choices", d);
  return ERR_NONE;
}

void replayer_take(struct replayer *r, uint32_t thread, uint32_t *event) {
  const struct schedule_step *s = &r->file->steps.data[r->entry];
  machine_trace(r->m, event);
  bool agent = is_agent(r->m, thread);
  step(r, thread, s->choice);
  r->step++;
  uint32_t next = r->entry;
  if (++r->taken == s->repeat) next = r->later.data[r->entry++], r->taken = 0;
  r->last = thread;
  if (agent && machine_status(r->m) == MACHINE_RUNNING) flush_passed(r, machine_owner(r->m, thread));
  if (!agent) pass(r, thread, next != UINT32_MAX ? &r->file->steps.data[next] : stop_of(r, schedule_string(r->file, s->thread)));
  if (replayer_ended(r)) pass_to_stops(r);
}
