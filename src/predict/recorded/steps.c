#include "predict/recorded/steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "predict/recorded/marks.h"

enum { AT_ONCE = 4096, ENDS = WITNESS_ENDS_MOST };

/* What is counted: events of one kind, place and, in thin traces, address are alike. */
struct kind {
  uint64_t address;
  uint32_t site;
  uint8_t op;
};

/* An event before which a thread shall stand. */
struct stop {
  uint32_t thread, index; /* NULL pointers: the first one from there on */
  bool next, found;
  struct witness_step step;
  uint32_t after; /* index of the thread's last step; its later events count */
  VEC(struct kind) since;
};

struct wish {
  enum finding_kind kind;
  uint64_t from;
  const struct recorded_step *events, *steps;
  uint32_t nevents, nsteps;
  struct stop stops[ENDS];
  uint32_t nstops, left; /* left: stops that were not found yet */
  uint32_t prefix;       /* how many of the common steps */
  VEC(struct witness_step) own;
  const char *why; /* there is no witness */
  struct witness_file witness;
};

/* Of a thread: what it did since its last step. */
struct followed {
  VEC(struct kind) since;
  uint64_t last; /* position of the last one */
};

struct steps {
  VEC(struct wish) wishes;
  VEC(struct witness_step) prefix;
  VEC(struct followed) threads;
  struct marks *marks;
  bool thin;
  uint64_t data_end; /* of the program's variables, as they are told when it begins */
  bool told;         /* all of that */
  const struct recorded_names *names;
};

struct steps *steps_new(bool thin) {
  struct steps *s = mem_alloc(sizeof *s);
  *s = (struct steps){.thin = thin};
  return s;
}

void steps_free(struct steps *s) {
  for (size_t i = 0; i < s->wishes.count; i++) {
    struct wish *w = &s->wishes.data[i];
    for (uint32_t k = 0; k < w->nstops; k++) vec_release(&w->stops[k].since);
    vec_release(&w->own);
    witness_file_release(&w->witness);
  }
  for (size_t i = 0; i < s->threads.count; i++) vec_release(&s->threads.data[i].since);
  vec_release(&s->threads);
  vec_release(&s->wishes);
  vec_release(&s->prefix);
  marks_free(s->marks);
  mem_free(s, sizeof *s);
}

/* Events that a run of the program can wait at. Memory is handed out within calls that others may wait for, as the creation of a thread. */
static bool can_wait(uint8_t op, uint8_t flags) { return op < EVENT_COUNT && op != EVENT_ALLOC && !event_is_outside(op, flags); }

static struct kind kind_of(const struct steps *s, uint8_t op, uint32_t site, uint64_t object) {
  bool told = s->thin && (op == EVENT_READ || op == EVENT_WRITE) && object <= INT64_MAX;
  return (struct kind){told ? object : 0, site, op};
}

static struct witness_step step_of(uint32_t thread, const struct kind *k, uint8_t flags) {
  uint8_t op = k->op;
  bool lock = op == EVENT_ACQUIRE || op == EVENT_RELEASE || op == EVENT_TRYFAIL;
  uint8_t kept = (uint8_t)((lock ? flags & EVENT_SHARED_LOCK : 0) | (op == EVENT_WAIT_LEAVE ? flags & EVENT_TIMED_OUT : 0));
  return (struct witness_step){.thread = thread, .op = op, .flags = kept, .site = k->site, .address = k->address};
}

/* --- what is wanted --- */

static void add_stop(struct wish *w, const struct recorded_step *e, bool next) {
  if (w->nstops < ENDS) w->stops[w->nstops++] = (struct stop){.thread = e->thread, .index = e->index + next, .next = next};
}

/* Which of the finding's events threads shall stand before. */
static void add_stops(struct wish *w) {
  const struct recorded_step *e = w->events;
  switch ((int)w->kind) {
    case FINDING_DATA_RACE:
    case FINDING_DEADLOCK:
    case FINDING_LOST_WAKEUP:
      for (uint32_t i = 0; i < w->nevents; i++) add_stop(w, &e[i], false);
      break;
    case FINDING_USE_AFTER_FREE:
      add_stop(w, &e[e[0].op == EVENT_FREE ? 1 : 0], false);
      break;
    case FINDING_ATOMICITY_VIOLATION:
      add_stop(w, &e[1], false);
      break;
    case FINDING_NULL_DEREFERENCE:
      add_stop(w, &e[0], true);
      break;
    default:
      break;
  }
  w->left = w->nstops;
}

/* The finding's so manieth event that has to be done; 0: none. */
static uint8_t note_of(const struct wish *w, const struct recorded_step *step) {
  for (uint32_t i = 0; i < w->nevents; i++) {
    const struct recorded_step *e = &w->events[i];
    if (e->thread != step->thread || e->index != step->index) continue;
    if (w->kind == FINDING_USE_AFTER_FREE) return e->op == EVENT_FREE;
    if (w->kind == FINDING_ATOMICITY_VIOLATION) return i == 0 ? 1 : i == 2 ? 2 : 0;
    return w->kind == FINDING_PROPERTY && i < ENDS ? (uint8_t)(i + 1) : 0;
  }
  return 0;
}

void steps_add(struct steps *s, enum finding_kind kind, const struct recorded_step *events, uint32_t nevents, uint64_t from,
               const struct recorded_step *steps, uint32_t nsteps) {
  struct wish *w = vec_push(&s->wishes);
  *w = (struct wish){.kind = kind, .from = from, .events = events, .nevents = nevents, .steps = steps, .nsteps = nsteps};
  add_stops(w);
  if (nevents > ENDS) w->why = "too many events take part in it";
}

/* --- the common part --- */

static struct followed *followed(struct steps *s, uint32_t thread) {
  while (s->threads.count <= thread) *vec_push(&s->threads) = (struct followed){0};
  return &s->threads.data[thread];
}

/* How many are like the last one, which is not counted. */
static uint32_t like_last(const struct kind *all, size_t n) {
  uint32_t same = 0;
  for (size_t i = 0; i + 1 < n; i++)
    same += all[i].op == all[n - 1].op && all[i].site == all[n - 1].site && all[i].address == all[n - 1].address;
  return same;
}

static void take_common(struct steps *s, const struct event *e, uint64_t position) {
  if (!can_wait(e->op, e->flags)) return;
  struct followed *f = followed(s, e->thread);
  *vec_push(&f->since) = kind_of(s, e->op, e->site, e->object);
  f->last = position;
  if (!marks_has(s->marks, position) || s->prefix.count > WITNESS_STEPS_MOST) return;
  struct witness_step step = step_of(e->thread, &vec_last(&f->since), e->flags);
  step.skip = like_last(f->since.data, f->since.count);
  *vec_push(&s->prefix) = step;
  vec_clear(&f->since);
}

/* --- one finding's part --- */

struct border {
  uint64_t position;
  struct witness_step step;
};
static int by_position(const void *a, const void *b) {
  const struct border *p = a, *q = b;
  return p->position < q->position ? -1 : p->position > q->position;
}

/* Each thread's last event before the finding's own part. */
static void put_borders(struct steps *s, struct wish *w) {
  VEC(struct border) borders = {0};
  for (uint32_t t = 0; t < s->threads.count; t++) {
    const struct followed *f = &s->threads.data[t];
    if (f->since.count == 0) continue;
    struct border *b = vec_push(&borders);
    *b = (struct border){f->last, step_of(t, &vec_last(&f->since), 0)};
    b->step.skip = like_last(f->since.data, f->since.count);
  }
  if (borders.count) qsort(borders.data, borders.count, sizeof borders.data[0], by_position);
  for (size_t i = 0; i < borders.count; i++) *vec_push(&w->own) = borders.data[i].step;
  vec_release(&borders);
}

static struct stop *stop_of(struct wish *w, uint32_t thread) {
  for (uint32_t i = 0; i < w->nstops; i++)
    if (w->stops[i].thread == thread) return &w->stops[i];
  return NULL;
}

static void begin_own(struct steps *s, struct wish *w) {
  w->prefix = (uint32_t)s->prefix.count;
  if (w->prefix > WITNESS_STEPS_MOST) w->why = "too many events come before it";
  put_borders(s, w);
  for (uint32_t i = 0; i < w->nstops; i++) w->stops[i].after = UINT32_MAX;
  for (uint32_t i = 0; i < w->nsteps; i++) {
    const struct recorded_step *e = &w->steps[i];
    struct stop *stop = stop_of(w, e->thread);
    if (!can_wait(e->op, e->flags) || (stop && e->index >= stop->index)) continue;
    struct kind k = kind_of(s, e->op, e->site, e->object);
    struct witness_step *step = vec_push(&w->own);
    *step = step_of(e->thread, &k, e->flags);
    step->note = note_of(w, e);
    if (stop) stop->after = e->index;
  }
}

/* An event behind the common part: is it where a thread shall stand? */
static void take_own(const struct steps *s, struct wish *w, const struct event *e) {
  struct stop *stop = stop_of(w, e->thread);
  if (!stop || stop->found || !can_wait(e->op, e->flags)) return;
  if (stop->after != UINT32_MAX && e->index <= stop->after) return;
  *vec_push(&stop->since) = kind_of(s, e->op, e->site, e->object);
  if (e->index < stop->index) return;
  stop->step = step_of(e->thread, &vec_last(&stop->since), e->flags);
  if (stop->next) stop->step.address = 0; /* it is NULL now */
  stop->step.skip = like_last(stop->since.data, stop->since.count);
  stop->found = true;
  w->left--;
}

static uint64_t last_from(const struct steps *s) {
  uint64_t last = 0;
  for (size_t i = 0; i < s->wishes.count; i++)
    if (s->wishes.data[i].from > last) last = s->wishes.data[i].from;
  return last;
}

struct progress {
  uint64_t position, last; /* events so far; where the last finding's own part begins */
  size_t begun, left;      /* findings whose own part has begun; that lack something */
};

static void begin_all(struct steps *s, struct progress *p) {
  for (size_t i = 0; i < s->wishes.count; i++)
    if (s->wishes.data[i].from == p->position) begin_own(s, &s->wishes.data[i]), p->begun++;
}

/* The first module's variables are told one behind the other. */
static void take_initial(struct steps *s, const struct event *e) {
  if (e->op == RECORDED_INITIAL && (!s->data_end || s->data_end == e->object))
    s->data_end = e->object + e->size;
  else if (s->data_end)
    s->told = true;
}

static void take(struct steps *s, struct progress *p, const struct event *e) {
  if (!s->told) take_initial(s, e);
  if (p->begun < s->wishes.count) begin_all(s, p);
  if (p->position < p->last) take_common(s, e, p->position);
  for (size_t i = 0; i < s->wishes.count; i++) {
    struct wish *w = &s->wishes.data[i];
    if (w->left > 0 && w->from <= p->position) take_own(s, w, e);
  }
  p->position++;
}

static bool lacks_some(const struct steps *s, const struct progress *p) {
  bool some = p->begun < s->wishes.count;
  for (size_t i = 0; i < s->wishes.count && !some; i++) some = s->wishes.data[i].left > 0;
  return some;
}

static enum err pass(struct steps *s, struct recorded_stream *stream) {
  struct progress p = {.last = last_from(s)};
  struct event *events = mem_alloc(AT_ONCE * sizeof *events);
  s->names = stream->names;
  for (size_t n; lacks_some(s, &p) && (n = stream->next(stream, events, AT_ONCE)) > 0;)
    for (size_t i = 0; i < n; i++) take(s, &p, &events[i]);
  if (!stream->e) begin_all(s, &p);
  mem_free(events, AT_ONCE * sizeof *events);
  return stream->e;
}

enum err steps_run(struct steps *s, struct recorded_stream *(*open)(void *data), void *data) {
  uint64_t last = last_from(s);
  struct recorded_stream *stream = last ? open(data) : NULL;
  s->marks = marks_new();
  enum err e = last && !stream ? ERR_FILE : last ? marks_find(s->marks, stream, last) : ERR_NONE;
  if (!e) stream = open(data);
  if (!e && !stream) e = ERR_FILE;
  return e ? e : pass(s, stream);
}

/* --- witnesses --- */

/* The witness's number of a thread, which gets one if it has none. */
static uint32_t thread_of(const struct steps *s, struct witness_file *w, uint32_t *numbers, uint32_t thread) {
  if (!numbers[thread]) {
    const char *name = thread < s->names->threads.count ? recorded_text(s->names, s->names->threads.data[thread]) : "";
    *vec_push(&w->threads) = witness_file_add(w, name, strlen(name));
    numbers[thread] = (uint32_t)w->threads.count;
  }
  return numbers[thread] - 1;
}

static int by_number(const void *a, const void *b) {
  uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
  return p < q ? -1 : p > q;
}

/* The text of a place comes up again and again. */
static uint32_t text_of(const struct steps *s, struct witness_file *w, struct hashmap *texts, uint32_t offset) {
  bool is_new;
  uint64_t *at = hashmap_at(texts, offset, 0, &is_new);
  const char *text = recorded_text(s->names, offset);
  if (is_new) *at = witness_file_add(w, text, strlen(text));
  return (uint32_t)*at;
}

static void put_sites(const struct steps *s, struct witness_file *w) {
  VEC(uint32_t) all = {0};
  struct hashmap texts = {0};
  for (size_t i = 0; i < w->steps.count; i++) *vec_push(&all) = w->steps.data[i].site;
  for (size_t i = 0; i < w->ends.count; i++) *vec_push(&all) = w->ends.data[i].site;
  if (all.count) qsort(all.data, all.count, sizeof all.data[0], by_number);
  for (size_t i = 0; i < all.count; i++) {
    uint32_t number = all.data[i];
    if (number == 0 || (i > 0 && all.data[i - 1] == number)) continue;
    struct recorded_site from = {0};
    if (number < s->names->sites.count) from = s->names->sites.data[number];
    struct witness_site site = {.number = number, .line = from.line, .column = from.column};
    site.file = text_of(s, w, &texts, from.file), site.function = text_of(s, w, &texts, from.function);
    *vec_push(&w->sites) = site;
  }
  hashmap_release(&texts);
  vec_release(&all);
}

static const char *fill(const struct steps *s, struct wish *from) {
  struct witness_file *w = &from->witness;
  size_t n = s->names->threads.count;
  uint32_t *numbers = mem_alloc((n + 1) * sizeof *numbers);
  memset(numbers, 0, (n + 1) * sizeof *numbers);
  for (uint32_t i = 0; i < from->prefix; i++) *vec_push(&w->steps) = s->prefix.data[i];
  for (size_t i = 0; i < from->own.count; i++) *vec_push(&w->steps) = from->own.data[i];
  for (uint32_t i = 0; i < from->nstops; i++) *vec_push(&w->ends) = from->stops[i].step;
  for (size_t i = 0; i < w->steps.count; i++) w->steps.data[i].thread = thread_of(s, w, numbers, w->steps.data[i].thread);
  for (size_t i = 0; i < w->ends.count; i++) w->ends.data[i].thread = thread_of(s, w, numbers, w->ends.data[i].thread);
  mem_free(numbers, (n + 1) * sizeof *numbers);
  put_sites(s, w);
  w->data_end = s->thin ? s->data_end : 0;
  if (w->steps.count > WITNESS_STEPS_MOST) return "too many events come before it";
  if (w->threads.count > WITNESS_THREADS_MOST) return "too many threads take part";
  for (size_t i = 0; i < w->threads.count; i++)
    if (strlen(witness_file_string(w, w->threads.data[i])) >= WITNESS_NAME_MOST) return "a thread's name is too long";
  return NULL;
}

struct witness_file *steps_witness(struct steps *s, uint32_t number, const char **why) {
  struct wish *w = &s->wishes.data[number];
  if (!w->why && w->left > 0) w->why = "the recording ends before it";
  if (!w->why && w->witness.threads.count == 0) w->why = fill(s, w);
  *why = w->why;
  return w->why ? NULL : &w->witness;
}
