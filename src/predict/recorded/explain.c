#include "predict/recorded/explain.h"

#include <stdlib.h>
#include <string.h>

#include "predict/recorded/maximal.h"
#include "predict/recorded/model.h"
#include "predict/recorded/question.h"

#define NONE RECORDED_NONE
/* Pairs that are asked about one by one in one window; accesses in one question. */
enum { WINDOW_MOST = 256, QUESTION_MOST = 1 << 14 };
/* Pairs that are looked at in one window. */
#define LOOKED_MOST (1u << 22)
/* Questions for one core. */
#define CORE_MOST 4000u
/* Granules of each line that are remembered, to say whether it ever touches what the other one does. */
#define TOUCHED_MOST (1u << 20)

enum { FIRST = 1, SECOND = 2, KNOWN = 4 }; /* of a site: which of the lines it is at */

struct touch {
  uint32_t thread; /* plus 1; NONE: several */
  bool writes, plain;
};

/* Two sets of accesses that conflict, one of each line. */
struct explain_rivals {
  uint32_t first, n, second, m;
};

struct explainer {
  const struct explain_options *options;
  struct explanation *x;
  struct recorded_state state;
  struct recorded_model model;
  struct recorded_reading reading;
  struct causal *causal;
  struct cautious cautious;
  struct core core;
  VEC(uint8_t) sites;
  VEC(uint32_t) at[2]; /* positions of the lines' accesses in the window */
  struct hashmap touched[2];
  VEC(struct touch) touches;
  uint64_t done; /* events of the run that were counted */
  bool same;     /* the lines are one */
  /* of the window */
  struct causal_trace trace;
  bool made, built;   /* the model; the causal model */
  uint64_t budget;    /* of a question */
  VEC(size_t) middle; /* of each access of the first line: the first one of the second line behind it */
  struct explain_side {
    VEC(uint32_t) positions, places, sets; /* sets of accesses that are alike: their first ones, and the end */
    uint64_t longest;                      /* access */
  } sides[2];
  VEC(struct explain_rivals) rivals;
  VEC(struct causal_rivals) question;
};

/* --- lines --- */

static bool is_at(const struct recorded_names *names, const struct recorded_site *s, const struct explain_line *l) {
  const char *file = recorded_text(names, s->file);
  size_t n = strlen(file);
  if (s->line != l->line) return false;
  if (!l->file) return n == 0;
  if (n < l->length || memcmp(file + n - l->length, l->file, l->length) != 0) return false;
  return n == l->length || file[n - l->length - 1] == '/';
}

static unsigned lines_of(struct explainer *w, const struct recorded_names *names, uint32_t site) {
  if (site == 0 || site >= names->sites.count) return 0;
  while (w->sites.count <= site) *vec_push(&w->sites) = 0;
  uint8_t *known = &w->sites.data[site];
  if (*known == 0) {
    *known = KNOWN;
    for (unsigned k = 0; k < 2; k++)
      if (is_at(names, &names->sites.data[site], &w->options->lines[k])) *known |= (uint8_t)(FIRST << k);
  }
  return *known & (FIRST | SECOND);
}

static bool is_access(const struct event *e) {
  return (e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == EVENT_RMW) && e->size && !event_outside(e);
}

static void touch(struct explainer *w, unsigned side, const struct event *e) {
  for (uint64_t granule = e->object / 8; granule <= (e->object + e->size - 1) / 8; granule++) {
    bool is_new = false;
    if (w->touched[side].count >= TOUCHED_MOST) return;
    uint64_t *at = hashmap_at(&w->touched[side], granule, w->touches.count, &is_new);
    if (is_new) *vec_push(&w->touches) = (struct touch){.thread = e->thread + 1};
    struct touch *t = &w->touches.data[*at];
    if (t->thread != e->thread + 1) t->thread = NONE;
    t->writes |= e->op != EVENT_READ, t->plain |= e->order == ORDER_PLAIN;
  }
}

/* Accesses of the lines in the window, and what they touch. */
static void collect(struct explainer *w, const struct recorded_names *names, uint32_t n) {
  vec_clear(&w->at[0]);
  vec_clear(&w->at[1]);
  for (uint32_t i = 0; i < n; i++) {
    const struct event *e = &w->reading.buffer.data[i];
    unsigned lines = is_access(e) ? lines_of(w, names, e->site) : 0;
    for (unsigned k = 0; lines && k < 2; k++) {
      if (!(lines >> k & 1)) continue;
      *vec_push(&w->at[k]) = i;
      if (w->state.events + i < w->done) continue;
      w->x->accesses[k]++;
      touch(w, k, e);
    }
  }
  if (w->state.events + n > w->done) w->done = w->state.events + n;
}

/* --- what is told --- */

static uint32_t tell(struct explainer *w, uint32_t position) {
  if (position == NONE) return NONE;
  *vec_push(&w->x->events) = recorded_step_of(&w->reading.buffer.data[position], w->state.events + position);
  return (uint32_t)w->x->events.count - 1;
}

static uint32_t origin(const struct explainer *w, uint32_t place) { return place == CORE_NONE ? NONE : w->model.origins.data[place]; }

/* The last write before the read, of any of its bytes. */
static uint32_t write_before(const struct explainer *w, uint32_t read) {
  const struct event *r = &w->model.window[read];
  for (uint32_t i = read; i-- > 0;) {
    const struct event *e = &w->model.window[i];
    bool overlaps = e->object < r->object + r->size && r->object < e->object + e->size;
    if ((e->op == EVENT_WRITE || e->op == EVENT_RMW) && overlaps) return i;
  }
  return NONE;
}

/* What the thread does because of what it has read: its next branch, or an update that decides. */
static uint32_t branch_behind(const struct explainer *w, uint32_t read) {
  const struct event *r = &w->model.window[read];
  if (r->op == EVENT_RMW && !(r->flags & RECORDED_ALWAYS_WRITES)) return read;
  for (uint32_t i = read + 1; i < w->model.n; i++) {
    const struct event *e = &w->model.window[i];
    if (e->thread != r->thread) continue;
    if (e->op == RECORDED_BRANCH || (e->op == EVENT_RMW && !(e->flags & RECORDED_ALWAYS_WRITES))) return i;
  }
  return NONE;
}

/* Is the branch what an event depends on that the core is about, or one of the pair? Else the value is passed on. */
static bool is_last_read(const struct explainer *w, uint32_t branch, const uint32_t pair[2]) {
  uint32_t thread = w->model.window[branch].thread;
  for (unsigned k = 0; k < 2; k++)
    if (w->model.window[pair[k]].thread == thread && branch <= pair[k]) return true;
  for (size_t i = 0; i < w->core.left.count; i++) {
    const struct core_element *e = &w->core.elements.data[w->core.left.data[i]];
    uint32_t ends[] = {origin(w, e->first), origin(w, e->last)};
    for (unsigned k = 0; k < 2; k++)
      if (ends[k] != NONE && w->model.window[ends[k]].thread == thread && branch <= ends[k]) return true;
    uint32_t write = e->kind == CORE_READ ? write_before(w, origin(w, e->first)) : NONE;
    if (write != NONE && w->model.window[write].thread == thread && branch <= write) return true;
  }
  return false;
}

/* The write of the same thread behind the read that another read of the core takes its value from. */
static uint32_t passed_on(const struct explainer *w, uint32_t read) {
  uint32_t thread = w->model.window[read].thread;
  for (size_t i = 0; i < w->core.left.count; i++) {
    const struct core_element *e = &w->core.elements.data[w->core.left.data[i]];
    uint32_t write = e->kind == CORE_READ ? write_before(w, origin(w, e->first)) : NONE;
    if (write != NONE && write > read && w->model.window[write].thread == thread) return write;
  }
  return NONE;
}

/* The last notification while the thread waited. */
static uint32_t notification(const struct explainer *w, uint32_t enter, uint32_t leave) {
  if (leave == NONE) return NONE;
  for (uint32_t i = leave; i-- > (enter == NONE ? 0 : enter);) {
    const struct event *e = &w->model.window[i];
    if ((e->op == EVENT_SIGNAL || e->op == EVENT_BROADCAST) && e->object == w->model.window[leave].object) return i;
  }
  return NONE;
}

static uint32_t lock_number(const struct explainer *w, const struct core_element *e) {
  uint32_t number = 1;
  for (size_t i = 0; i < w->core.left.count; i++) {
    const struct core_element *other = &w->core.elements.data[w->core.left.data[i]];
    bool is_lock = other->kind == CORE_SECTION || other->kind == CORE_TRY;
    if (is_lock && other->object == e->object) return number;
    bool counted = !is_lock;
    for (size_t k = 0; k < i && !counted; k++) counted = w->core.elements.data[w->core.left.data[k]].object == other->object;
    number += !counted;
  }
  return number;
}

/* The thread's next event of the window behind one that is not of it. */
static uint32_t next_origin(const struct explainer *w, uint32_t place) {
  for (uint32_t i = place + 1; i < w->model.events.count; i++)
    if (w->model.events.data[i].thread == w->model.events.data[place].thread && w->model.origins.data[i] != NONE)
      return w->model.origins.data[i];
  return NONE;
}

static void tell_fact(struct explainer *w, const struct core_element *e, const uint32_t pair[2]) {
  uint32_t first = origin(w, e->first), last = origin(w, e->last), from = NONE, by = NONE;
  if (e->kind == CORE_READ) {
    from = write_before(w, first);
    by = branch_behind(w, first);
    if (by == NONE || !is_last_read(w, by, pair)) by = passed_on(w, first);
  }
  if (e->kind == CORE_REUSE) {
    const struct reuse_pair *p = &w->model.reuse.pairs.data[reuse_pair_of(e->object)];
    first = w->model.reuse.lives.data[p->earlier].end, last = w->model.reuse.lives.data[p->later].begin, by = next_origin(w, e->first);
  }
  if (e->kind == CORE_WAIT) from = notification(w, first, last);
  struct explain_fact f = {.kind = e->kind, .child = NONE};
  if (e->kind == CORE_SECTION || e->kind == CORE_TRY) f.lock = lock_number(w, e);
  if (e->kind == CORE_FORK || e->kind == CORE_JOIN) f.child = (uint32_t)w->model.window[first].object;
  f.first = tell(w, first), f.last = tell(w, last), f.from = tell(w, from), f.by = tell(w, by);
  *vec_push(&w->x->facts) = f;
}

static void tell_pair(struct explainer *w, uint32_t a, uint32_t b) {
  w->x->from = w->state.events;
  vec_clear(&w->x->events);
  w->x->first = tell(w, a), w->x->second = tell(w, b);
}

static void tell_core(struct explainer *w, uint32_t a, uint32_t b) {
  uint32_t pair[] = {a, b};
  w->built = false;
  if (core_find(&w->core, w->causal, &w->trace, w->model.places.data[a], w->model.places.data[b], CORE_MOST) != CAUSAL_NO) return;
  tell_pair(w, a, b);
  w->x->least = w->core.questions < CORE_MOST;
  for (size_t i = 0; i < w->core.left.count; i++) tell_fact(w, &w->core.elements.data[w->core.left.data[i]], pair);
}

static void add_step(void *data, uint32_t position) { (void)tell(data, position); }

/* --- pairs --- */

static bool conflict(const struct event *a, const struct event *b) {
  if (a->thread == b->thread || (a->op == EVENT_READ && b->op == EVENT_READ)) return false;
  if (a->order != ORDER_PLAIN && b->order != ORDER_PLAIN) return false;
  return a->object < b->object + b->size && b->object < a->object + a->size;
}

/* True: it is a race, and that is told. */
static bool ask(struct explainer *w, uint32_t a, uint32_t b) {
  struct explanation *x = w->x;
  if (!w->built) causal_build(w->causal, &w->trace);
  w->built = true;
  x->asked++;
  enum causal_answer answer = causal_race(w->causal, w->model.places.data[a], w->model.places.data[b]);
  if (answer == CAUSAL_UNKNOWN && x->undecided++ == 0) x->limit = causal_limit(w->causal);
  if (answer == CAUSAL_NO && x->no++ == 0 && !x->claimed) tell_core(w, a, b);
  if (answer != CAUSAL_YES) return false;
  struct question q = {FINDING_DATA_RACE, 2, {a, b}};
  const char *claimed = cautious_doubts(&w->cautious, &w->model, w->causal, w->reading.buffer.data, w->budget, &q);
  if (claimed && x->claimed) return false;
  vec_clear(&x->facts);
  tell_pair(w, a, b);
  x->step = (uint32_t)x->events.count;
  cautious_steps(&w->cautious, &w->model, w->causal, add_step, w);
  x->steps = (uint32_t)x->events.count - x->step;
  x->claimed = claimed;
  return !claimed;
}

static void make_model(struct explainer *w) {
  if (!w->made) recorded_model_make(&w->model, NULL, NULL), cautious_begin(&w->cautious);
  if (!w->made) w->trace = recorded_model_trace(&w->model);
  w->made = true;
}

/* One by one, those first that are close to each other: of each access of the first line the `distance`-th of the second one's to either
 * side. True: one is a race. */
static bool ask_singly(struct explainer *w) {
  size_t n = w->at[0].count, m = w->at[1].count, looked = 0, asked = 0;
  vec_clear(&w->middle);
  for (size_t i = 0, k = 0; i < n; i++) {
    while (k < m && w->at[1].data[k] < w->at[0].data[i]) k++;
    *vec_push(&w->middle) = k;
  }
  for (size_t distance = 0; distance < m; distance++) {
    for (size_t i = 0; i < 2 * n; i++) {
      size_t middle = w->middle.data[i / 2], k = i % 2 ? middle - 1 - distance : middle + distance; /* wraps around */
      uint32_t a = w->at[0].data[i / 2], b = k < m ? w->at[1].data[k] : a;
      if (k >= m || (w->same && a > b) || !conflict(&w->model.window[a], &w->model.window[b])) continue;
      if (asked++ >= WINDOW_MOST) return false;
      if (ask(w, a < b ? a : b, a < b ? b : a)) return true;
    }
    looked += n;
    if (looked > LOOKED_MOST) return false;
  }
  return false;
}

/* --- all pairs in one question --- */

static int by_access(const void *a, const void *b, void *data) {
  const struct event *window = data;
  uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
  const struct event *e = &window[p], *f = &window[q];
  uint64_t keys[][2] = {{e->object, f->object}, {e->size, f->size}, {e->thread, f->thread}, {e->op, f->op}, {e->order, f->order}, {p, q}};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    if (keys[i][0] != keys[i][1]) return keys[i][0] < keys[i][1] ? -1 : 1;
  return 0;
}

/* The line's accesses by what they are, in sets that are alike. */
static void sort_side(struct explainer *w, unsigned side) {
  struct explain_side *x = &w->sides[side];
  vec_clear(&x->positions);
  vec_clear(&x->places);
  vec_clear(&x->sets);
  x->longest = 0;
  for (size_t i = 0; i < w->at[side].count; i++) *vec_push(&x->positions) = w->at[side].data[i];
  if (x->positions.count) qsort_r(x->positions.data, x->positions.count, sizeof(uint32_t), by_access, (void *)(uintptr_t)w->model.window);
  for (uint32_t i = 0; i < x->positions.count; i++) {
    const struct event *e = &w->model.window[x->positions.data[i]], *f = i ? &w->model.window[x->positions.data[i - 1]] : e;
    bool alike = e->object == f->object && e->size == f->size && e->thread == f->thread && e->op == f->op && e->order == f->order;
    if (i == 0 || !alike) *vec_push(&x->sets) = i;
    if (e->size > x->longest) x->longest = e->size;
  }
  *vec_push(&x->sets) = (uint32_t)x->positions.count;
}

static const struct event *set_event(const struct explainer *w, unsigned side, size_t set) {
  return &w->model.window[w->sides[side].positions.data[w->sides[side].sets.data[set]]];
}

/* The first set of the second line that may overlap with the access. */
static size_t first_set(const struct explainer *w, const struct event *e) {
  size_t low = 0, high = w->sides[1].sets.count - 1;
  uint64_t from = e->object > w->sides[1].longest ? e->object - w->sides[1].longest : 0;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (set_event(w, 1, middle)->object < from)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* All pairs of sets that conflict. */
static void pair_sets(struct explainer *w) {
  size_t n = w->sides[0].sets.count - 1, m = w->sides[1].sets.count - 1, looked = 0;
  vec_clear(&w->rivals);
  for (size_t i = 0; i < n; i++) {
    const struct event *a = set_event(w, 0, i);
    for (size_t k = first_set(w, a); k < m && set_event(w, 1, k)->object < a->object + a->size; k++) {
      if (looked++ > LOOKED_MOST) {
        w->x->cut = true;
        return;
      }
      if ((w->same && k < i) || !conflict(a, set_event(w, 1, k))) continue;
      const uint32_t *x = &w->sides[0].sets.data[i], *y = &w->sides[1].sets.data[k];
      *vec_push(&w->rivals) = (struct explain_rivals){x[0], x[1] - x[0], y[0], y[1] - y[0]};
      w->x->pairs += (uint64_t)(x[1] - x[0]) * (y[1] - y[0]);
    }
  }
}

/* The two that are closest to each other. */
static void nearest(const struct explainer *w, const struct explain_rivals *r, uint32_t *a, uint32_t *b) {
  const uint32_t *x = w->sides[0].positions.data + r->first, *y = w->sides[1].positions.data + r->second;
  uint32_t best = NONE;
  for (uint32_t i = 0, k = 0; i < r->n; i++) {
    while (k + 1 < r->m && y[k] < x[i]) k++;
    for (uint32_t l = k ? k - 1 : k; l <= k; l++) {
      uint32_t distance = x[i] < y[l] ? y[l] - x[i] : x[i] - y[l];
      if (distance < best) best = distance, *a = x[i] < y[l] ? x[i] : y[l], *b = x[i] < y[l] ? y[l] : x[i];
    }
  }
}

/* Some of the sets' pairs in one question, from the `*at`-th on, which goes on behind them. */
static enum causal_answer ask_sets(struct explainer *w, size_t *at, uint32_t pair[2]) {
  size_t first = *at, accesses = 0;
  uint64_t pairs = 0;
  vec_clear(&w->question);
  for (; *at < w->rivals.count && accesses < QUESTION_MOST; ++*at) {
    const struct explain_rivals *r = &w->rivals.data[*at];
    *vec_push(&w->question) = (struct causal_rivals){
        .firsts = w->sides[0].places.data + r->first, .seconds = w->sides[1].places.data + r->second, .n = r->n, .m = r->m};
    accesses += r->n + r->m, pairs += (uint64_t)r->n * r->m;
  }
  if (!w->built) causal_build(w->causal, &w->trace);
  w->built = true;
  enum causal_answer answer = causal_rival(w->causal, w->question.data, (uint32_t)w->question.count, &pair[0], &pair[1]);
  if (answer != CAUSAL_NO) return answer;
  bool is_first = w->x->no == 0;
  w->x->asked += pairs, w->x->no += pairs;
  nearest(w, &w->rivals.data[first], &pair[0], &pair[1]);
  if (is_first) tell_core(w, pair[0], pair[1]);
  return answer;
}

/* The pairs of the window. True: one is a race. */
static bool look_at(struct explainer *w) {
  uint32_t pair[2];
  w->made = w->built = false;
  if (w->at[0].count == 0 || w->at[1].count == 0) return false;
  for (unsigned side = 0; side < 2; side++) sort_side(w, side);
  pair_sets(w);
  if (w->rivals.count == 0) return false;
  make_model(w);
  for (unsigned side = 0; side < 2; side++)
    for (size_t i = 0; i < w->sides[side].positions.count; i++)
      *vec_push(&w->sides[side].places) = w->model.places.data[w->sides[side].positions.data[i]];
  for (size_t at = 0; at < w->rivals.count;) {
    enum causal_answer answer = ask_sets(w, &at, pair);
    if (answer == CAUSAL_NO) continue;
    uint32_t a = answer == CAUSAL_YES ? w->model.origins.data[pair[0]] : NONE,
             b = answer == CAUSAL_YES ? w->model.origins.data[pair[1]] : NONE;
    return (a != NONE && ask(w, a < b ? a : b, a < b ? b : a)) || ask_singly(w);
  }
  return false;
}

/* --- the run --- */

/* What the lines have in common in all of the run, if no pair was looked at. */
static enum explain_verdict compare(const struct explainer *w) {
  enum explain_verdict best = EXPLAIN_ELSEWHERE;
  for (size_t i = 0; i < w->touched[0].cap; i++) {
    const uint64_t *other = w->touched[0].used[i] ? hashmap_find(&w->touched[1], w->touched[0].keys[i]) : NULL;
    if (!other) continue;
    const struct touch *a = &w->touches.data[w->touched[0].values[i]], *b = &w->touches.data[*other];
    bool alone = a->thread == b->thread && a->thread != NONE;
    enum explain_verdict here = alone                      ? EXPLAIN_ONE_THREAD
                                : !a->writes && !b->writes ? EXPLAIN_READS
                                : !a->plain && !b->plain   ? EXPLAIN_ATOMICS
                                                           : EXPLAIN_APART;
    if (here == EXPLAIN_APART) return here;
    if (best == EXPLAIN_ELSEWHERE || here > best) best = here;
  }
  return w->touched[0].count >= TOUCHED_MOST || w->touched[1].count >= TOUCHED_MOST ? EXPLAIN_APART : best;
}

static enum explain_verdict judge(const struct explainer *w) {
  const struct explanation *x = w->x;
  if (!x->accesses[0] || !x->accesses[1]) return EXPLAIN_NOTHING;
  if (x->pairs == 0 && !x->cut) return compare(w);
  return x->undecided || x->cut || x->asked < x->pairs ? EXPLAIN_UNDECIDED : EXPLAIN_NO_RACE;
}

static void release(struct explainer *w) {
  recorded_state_release(&w->state);
  recorded_model_release(&w->model);
  vec_release(&w->reading.buffer);
  causal_free(w->causal);
  cautious_release(&w->cautious);
  core_release(&w->core);
  vec_release(&w->sites);
  for (unsigned k = 0; k < 2; k++) {
    vec_release(&w->at[k]);
    hashmap_release(&w->touched[k]);
  }
  vec_release(&w->touches);
  vec_release(&w->middle);
  for (unsigned k = 0; k < 2; k++) {
    vec_release(&w->sides[k].positions);
    vec_release(&w->sides[k].places);
    vec_release(&w->sides[k].sets);
  }
  vec_release(&w->rivals);
  vec_release(&w->question);
}

enum err explain_run(const struct explain_options *options, struct recorded_stream *s, struct explanation *x) {
  struct explainer *w = mem_alloc(sizeof *w);
  bool found = false;
  const struct explain_line *l = options->lines;
  w->options = options, w->x = x;
  w->same = l[0].line == l[1].line && l[0].length == l[1].length && (!l[0].file || !memcmp(l[0].file, l[1].file, l[0].length));
  struct causal_options causal = {.memory = CAUSAL_SC,
                                  .recorded = true,
                                  .budget = options->budget ? options->budget : MAXIMAL_BUDGET,
                                  .initial = recorded_model_initial,
                                  .data = &w->model};
  w->causal = causal_new(&causal);
  w->model.trusting = true;
  w->budget = causal.budget;
  while (!found && recorded_reading_fill(&w->reading, s, options->window ? options->window : MAXIMAL_WINDOW)) {
    struct recorded_reading *r = &w->reading;
    uint32_t n = recorded_model_measure(&w->model, &w->state, r->buffer.data, (uint32_t)r->buffer.count);
    if (n == 0) w->x->cut = true; /* too many threads take part in one event */
    if (n > 0) collect(w, s->names, n);
    found = n > 0 && look_at(w);
    n = n > 0 ? recorded_reading_passes(r, n) : 1;
    for (uint32_t i = 0; i < n; i++) recorded_state_take(&w->state, &r->buffer.data[i]);
    recorded_reading_pass(r, n);
  }
  x->verdict = found || x->claimed ? EXPLAIN_RACE : judge(w);
  release(w);
  mem_free(w, sizeof *w);
  return s->e;
}

void explanation_release(struct explanation *x) {
  vec_release(&x->facts);
  vec_release(&x->events);
}
