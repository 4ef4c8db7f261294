#include "report/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "execution/progress.h"
#include "machine/machine.h"
#include "report/action.h"
#include "report/held.h"
#include "report/replayer.h"

#define STACK_MAX 64
/* Interleavings with at most so many moments are shown whole. */
#define WHOLE 40
/* Of longer ones, the last ones of each thread are shown, */
#define LAST 3
/* and not more than this altogether. */
#define SHOWN_MAX 160

static uint32_t intern(struct timeline *t, const char *s) {
  uint32_t offset = (uint32_t)t->pool.count;
  text_append(&t->pool, s, strlen(s) + 1);
  return offset;
}

const char *timeline_string(const struct timeline *t, uint32_t offset) { return t->pool.data + offset; }

static uint32_t push_stack(struct timeline *t, const struct machine *m, uint32_t thread, uint32_t *n) {
  uint32_t at = (uint32_t)t->stacks.count;
  uint32_t *sites = vec_push_n(&t->stacks, STACK_MAX);
  *n = machine_stack(m, thread, sites, STACK_MAX);
  t->stacks.count = at + *n;
  return at;
}

/* Adds the thread to the list when its first moment comes. */
static void note_thread(struct timeline *t, const struct image *image, const struct moment *moment) {
  for (size_t i = 0; i < t->threads.count; i++)
    if (t->threads.data[i].thread == moment->thread) return;
  struct place start = moment->place;
  for (uint32_t i = moment->nstack; i-- > 0;) {
    uint32_t site = t->stacks.data[moment->stack + i];
    if (site >= image->nsites || (image->functions[image->sites[site].function].flags & FUNCTION_MODEL)) continue;
    start = place_of_site(image, site);
    break;
  }
  uint32_t name = intern(t, place_is_driver(&start) ? "" : start.function);
  *vec_push(&t->threads) = (struct timeline_thread){.thread = moment->thread, .start = name};
}

static uint32_t describe(struct timeline *t, const struct replayer *r, const struct event *e, const uint64_t *was) {
  struct text words = {0};
  action_text(&t->names, r->image, r->m, e, was, &words);
  uint32_t offset = intern(t, text_str(&words));
  text_release(&words);
  return offset;
}

static bool is_passed(const struct event *e) {
  return e->op == EVENT_FREE || e->op == EVENT_ALLOC || ((e->op == EVENT_READ || e->op == EVENT_WRITE) && e->order == ORDER_PLAIN);
}

/* The step's further events: the end of a thread, or what an atomic section did. Plain accesses that are not part of the step are
 * those that the schedule passes. */
static void add_followers(struct timeline *t, const struct replayer *r, const struct moment *step) {
  uint32_t count;
  machine_trace(r->m, &count);
  for (uint32_t i = step->event + 1; i < count; i++) {
    struct event e = machine_trace(r->m, &count)[i];
    if (is_passed(&e) && !(e.flags & EVENT_INTERNAL)) continue;
    if (machine_is_note(r->m, &e)) continue;
    struct moment moment = {.step = step->step, .thread = e.thread, .event = i, .e = e, .stack = step->stack, .nstack = step->nstack};
    moment.place = e.site == step->e.site ? step->place : place_of_site(r->image, e.site);
    moment.words = describe(t, r, &e, NULL);
    *vec_push(&t->moments) = moment;
  }
}

/* Variables of the main() around an object's operations say nothing. */
static bool is_driver_access(const struct moment *moment) { return place_is_driver(&moment->place) && is_passed(&moment->e); }

static void add_step(struct timeline *t, struct replayer *r, uint32_t thread) {
  struct event pending = *machine_pending(r->m, thread);
  /* A flush is shown where the thread is that stored. */
  struct moment moment = {.step = r->step + 1, .thread = machine_owner(r->m, thread)};
  moment.stack = push_stack(t, r->m, thread, &moment.nstack);
  moment.place = place_of_stack(r->image, t->stacks.data + moment.stack, moment.nstack);
  if (moment.nstack == 0) moment.place = place_of_site(r->image, pending.site);
  note_thread(t, r->image, &moment);
  uint64_t was = 0;
  bool has_was = pending.op == EVENT_WRITE && pending.size <= 8 && machine_peek(r->m, pending.object, (uint32_t)pending.size, &was);
  bool freeing = pending.op == EVENT_FREE; /* afterwards nothing is known of the object */
  if (freeing) moment.words = describe(t, r, &pending, NULL);
  replayer_take(r, thread, &moment.event);
  uint32_t count;
  const struct event *trace = machine_trace(r->m, &count);
  if (t->steps++ > 0 && t->moments.count && vec_last(&t->moments).thread != moment.thread) t->switches++;
  if (moment.event >= count) { /* the step failed before it had an effect */
    moment.event = UINT32_MAX;
    moment.words = intern(t, "");
    *vec_push(&t->moments) = moment;
    return;
  }
  moment.e = trace[moment.event];
  if (!freeing) moment.words = describe(t, r, &moment.e, has_was ? &was : NULL);
  if (is_driver_access(&moment)) return;
  *vec_push(&t->moments) = moment;
  add_followers(t, r, &moment);
}

enum err timeline_run(struct timeline *t, struct replayer *r, struct diag *d) {
  while (!replayer_ended(r)) {
    uint32_t thread;
    enum err e = replayer_next(r, &thread, d);
    if (e) return e;
    add_step(t, r, thread);
  }
  return ERR_NONE;
}

static bool is_frame(const struct moment *moment) { return moment->e.op == EVENT_BEGIN || moment->e.op == EVENT_END; }

const struct moment *timeline_find(const struct timeline *t, uint32_t event) {
  for (size_t i = 0; i < t->moments.count && event != UINT32_MAX; i++)
    if (t->moments.data[i].event == event) return &t->moments.data[i];
  return NULL;
}

bool timeline_stands_at(const struct replayer *r, const struct finding_site *site) {
  return tset_has(machine_alive(r->m), site->thread) && machine_pending(r->m, site->thread)->site == site->site;
}

const struct moment *timeline_find_site(const struct timeline *t, const struct replayer *r, const struct finding_site *site) {
  if (site->event != UINT32_MAX) return timeline_find(t, site->event);
  if (timeline_stands_at(r, site)) return NULL;
  for (size_t i = t->moments.count; i-- > 0;) {
    const struct moment *moment = &t->moments.data[i];
    bool same = moment->event != UINT32_MAX && moment->thread == site->thread && moment->e.site == site->site;
    if (same && !is_frame(moment)) return moment;
  }
  return NULL;
}

/* "waits for mutex a, held by thread 0.2" */
static void waiting_text(struct timeline *t, const struct replayer *r, uint32_t thread, struct text *out) {
  const struct event *e = machine_pending(r->m, thread);
  action_wait_text(&t->names, r->m, e, out);
  uint32_t count, holder, acquire;
  const struct event *trace = machine_trace(r->m, &count);
  uint64_t lock = e->op == EVENT_ACQUIRE ? e->object : 0;
  if (lock && held_by(trace, count, lock, &holder, &acquire)) text_printf(out, ", held by thread %s", machine_thread_name(r->m, holder));
}

static void add_closing(struct timeline *t, const struct replayer *r, uint32_t thread, const char *words, bool marked) {
  for (size_t i = t->moments.count; i-- > 0 && t->moments.data[i].step == 0;)
    if (t->moments.data[i].thread == thread) return;
  struct moment moment = {.thread = thread, .event = UINT32_MAX, .marked = marked};
  moment.stack = push_stack(t, r->m, thread, &moment.nstack);
  moment.place = place_of_stack(r->image, t->stacks.data + moment.stack, moment.nstack);
  moment.words = intern(t, words);
  note_thread(t, r->image, &moment);
  *vec_push(&t->moments) = moment;
}

/* A step that failed before it had an effect is where the finding happens. */
static bool mark_failed_step(struct timeline *t, uint32_t thread, const char *words) {
  for (size_t i = t->moments.count; i-- > 0;) {
    struct moment *moment = &t->moments.data[i];
    if (moment->thread != thread) continue;
    if (moment->event != UINT32_MAX || moment->step == 0) return false;
    moment->words = intern(t, words);
    return moment->marked = true;
  }
  return false;
}

static bool is_blocking(enum finding_kind kind) {
  return kind == FINDING_DEADLOCK || kind == FINDING_LOST_WAKEUP || kind == FINDING_LIVELOCK;
}

static bool concerns(const struct finding *finding, uint32_t thread) {
  for (size_t i = 0; i < finding->sites.count; i++)
    if (finding->sites.data[i].thread == thread) return true;
  return false;
}

static void mark(struct timeline *t, const struct replayer *r, const struct finding *finding) {
  const struct tset *alive = machine_alive(r->m);
  bool blocking = is_blocking(finding->kind), progress = progress_of_finding(finding->kind) != PROGRESS_NOT_ASKED;
  for (size_t i = 0; i < finding->sites.count; i++) {
    const struct finding_site *site = &finding->sites.data[i];
    const struct moment *found = timeline_find_site(t, r, site);
    if (found) t->moments.data[found - t->moments.data].marked = true;
    if (found || i > 0 || blocking || progress || !tset_has(alive, site->thread)) continue;
    if (!mark_failed_step(t, site->thread, finding_kind_text(finding->kind)))
      add_closing(t, r, site->thread, finding_kind_text(finding->kind), true);
  }
  if (!blocking && !progress) return;
  for (uint32_t thread = tset_next(alive, 0); thread < THREADS_MAX; thread = tset_next(alive, thread + 1)) {
    struct text words = {0};
    if (machine_pending(r->m, thread)->op == EVENT_FLUSH || (progress && !concerns(finding, thread))) continue;
    if (tset_has(machine_enabled(r->m), thread)) text_puts(&words, "goes on like this");
    if (!words.count) waiting_text(t, r, thread, &words);
    add_closing(t, r, thread, text_str(&words), concerns(finding, thread));
    text_release(&words);
  }
}

struct range {
  uint64_t from, to;
};
struct ranges {
  VEC(struct range) list;
};

static void add_range(struct ranges *ranges, uint64_t object, uint64_t size) {
  if (object) *vec_push(&ranges->list) = (struct range){object, object + (size ? size : 1)};
}

static bool touches(const struct ranges *ranges, uint64_t object, uint64_t size) {
  for (size_t i = 0; i < ranges->list.count; i++)
    if (object < ranges->list.data[i].to && ranges->list.data[i].from < object + (size ? size : 1)) return true;
  return false;
}

/* What the finding is about: the objects of its events, those that threads wait for, and the locks held there. */
static void collect(const struct timeline *t, const struct replayer *r, struct ranges *ranges) {
  uint32_t count;
  const struct event *trace = machine_trace(r->m, &count);
  for (size_t i = 0; i < t->moments.count; i++) {
    const struct moment *moment = &t->moments.data[i];
    if (!moment->marked) continue;
    const struct event *e = moment->event != UINT32_MAX                     ? &moment->e
                            : tset_has(machine_alive(r->m), moment->thread) ? machine_pending(r->m, moment->thread)
                                                                            : NULL;
    if (e && e->op != EVENT_FORK && e->op != EVENT_JOIN) add_range(ranges, e->object, e->size);
    struct held held = {0};
    held_at(trace, moment->event != UINT32_MAX ? moment->event : count, moment->thread, &held);
    for (size_t k = 0; k < held.locks.count; k++) add_range(ranges, held.locks.data[k].object, 1);
    held_release(&held);
  }
}

static bool is_structure(const struct moment *moment) {
  return moment->marked || moment->step == 0 || moment->e.op == EVENT_FORK || moment->e.op == EVENT_JOIN || moment->e.op == EVENT_CHOICE;
}

static bool switches_around(const struct timeline *t, size_t i) {
  const struct moment *m = t->moments.data;
  return (i > 0 && m[i - 1].thread != m[i].thread) || (i + 1 < t->moments.count && m[i + 1].thread != m[i].thread);
}

static void fold_unrelated(struct timeline *t, const struct replayer *r) {
  struct ranges ranges = {0};
  collect(t, r, &ranges);
  uint32_t last[THREADS_MAX] = {0};
  for (size_t i = t->moments.count; i-- > 0;) {
    struct moment *moment = &t->moments.data[i];
    bool kept = is_structure(moment) || switches_around(t, i) || last[moment->thread]++ < LAST ||
                touches(&ranges, moment->e.object, moment->e.size) || (moment->e.value2 && touches(&ranges, moment->e.value2, 1));
    moment->folded = !kept;
  }
  vec_release(&ranges.list);
}

static void fold_oldest(struct timeline *t) {
  size_t shown = 0;
  for (size_t i = t->moments.count; i-- > 0;) {
    struct moment *moment = &t->moments.data[i];
    if (moment->folded || moment->marked) continue;
    if (++shown > SHOWN_MAX) moment->folded = true;
  }
}

void timeline_focus(struct timeline *t, const struct replayer *r, const struct finding *finding, bool full) {
  if (finding) mark(t, r, finding);
  if (!full) {
    if (t->moments.count > WHOLE) fold_unrelated(t, r);
    fold_oldest(t);
    for (size_t i = 0; i < t->moments.count; i++)
      if (is_frame(&t->moments.data[i]) && !t->moments.data[i].marked) t->moments.data[i].folded = true;
  }
  for (size_t i = 0; i < t->moments.count; i++)
    for (size_t k = 0; k < t->threads.count && !t->moments.data[i].folded; k++)
      if (t->threads.data[k].thread == t->moments.data[i].thread) t->threads.data[k].shown = true;
}

void timeline_release(struct timeline *t) {
  vec_release(&t->moments);
  vec_release(&t->stacks);
  vec_release(&t->threads);
  names_release(&t->names);
  text_release(&t->pool);
  *t = (struct timeline){0};
}
