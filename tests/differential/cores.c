/* Why pairs of random recorded runs are no race (src/predict/recorded/core.h), against all orders of the runs' events: what is told must be
 * enough, and no part of it may be too much.
 *
 * usage: cores [--traces=N] [--seed=N] [--features=BITS] [--also=BITS] [--events=N] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predict/recorded/core.h"
#include "predict/recorded/model.h"
#include "recorded_enumerate.h"
#include "recorded_generate.h"

struct settings {
  uint64_t traces, seed;
  long features;
  unsigned also; /* features that are not among RECORDED_FEATURES */
  uint32_t events;
};

struct counts {
  uint64_t traces, pairs, elements, by_kind[CORE_FORK + 1], unlike, skipped, wrong;
};

/* A run's model, with what the analysis needs for it. */
struct modelled {
  const struct run *r;
  struct recorded events;
  struct recorded_state state;
  struct recorded_model model;
  struct causal *causal;
  struct core core;
};

static void model(struct modelled *m, const struct run *r) {
  m->r = r;
  recorded_copy(r, &m->events);
  (void)recorded_model_begin(&m->model, &m->state, m->events.events.data, (uint32_t)m->events.events.count);
  recorded_model_make(&m->model, NULL, NULL);
}

static uint32_t origin(const struct modelled *m, uint32_t place) { return place == CORE_NONE ? CORE_NONE : m->model.origins.data[place]; }

/* --- runs without some elements --- */

struct fate {
  bool gone, plain; /* left out; a wait as a lock's operation, an update as a write */
  bool bare;        /* a wait that gives up, or takes, no mutex: the enumeration has none such */
  bool decides;     /* an update that decides whether it writes: a branch is left of that */
};

static void leave_out(const struct modelled *m, const struct core_element *x, struct fate *fates) {
  uint32_t ends[] = {origin(m, x->first), origin(m, x->last)};
  for (uint32_t k = 0; k < 2; k++) {
    const struct event *e = ends[k] == CORE_NONE ? NULL : &m->r->trace[ends[k]];
    struct fate *f = e ? &fates[ends[k]] : NULL;
    bool waits = e && (e->op == EVENT_WAIT_ENTER || e->op == EVENT_WAIT_LEAVE);
    if (!e) continue;
    f->decides = run_decides(e);
    if (x->kind == CORE_SECTION && waits)
      f->bare = true;
    else if (e->op == EVENT_RMW || (waits && !(e->flags & EVENT_TIMED_OUT)))
      f->plain = true;
    else
      f->gone = true;
  }
}

/* An element and what is there because of it: the tries of a lock are one, and hold its sections. */
static bool is_there(const struct modelled *m, size_t element, const bool *kept) {
  const struct core_element *x = &m->core.elements.data[element];
  for (size_t i = 0; x->kind == CORE_SECTION && i < m->core.elements.count; i++)
    if (m->core.elements.data[i].kind == CORE_TRY && m->core.elements.data[i].object == x->object && kept[i]) return true;
  return kept[element];
}

/* The tries of a lock, or all operations of a semaphore or a barrier. */
static void leave_out_all(const struct modelled *m, const struct core_element *x, struct fate *fates) {
  for (uint32_t i = 0; i < m->r->n; i++) {
    const struct event *e = &m->r->trace[i];
    bool counts = e->op == EVENT_SEM_POST || e->op == EVENT_SEM_WAIT || e->op == EVENT_BARRIER_ENTER || e->op == EVENT_BARRIER_LEAVE;
    if ((x->kind == CORE_TRY ? e->op == EVENT_TRYFAIL : counts) && e->object == x->object) fates[i].gone = true;
  }
}

static struct event changed(const struct event *e) {
  struct event x = *e;
  if (e->op == EVENT_RMW) x.op = EVENT_WRITE, x.value = e->value2, x.value2 = 0, x.flags = 0;
  if (e->op == EVENT_WAIT_ENTER) x.op = EVENT_RELEASE;
  if (e->op == EVENT_WAIT_LEAVE) x.op = EVENT_ACQUIRE;
  if (e->op == EVENT_WAIT_ENTER || e->op == EVENT_WAIT_LEAVE) x.object = e->value2, x.value2 = 0, x.flags = 0;
  return x;
}

/* The run with those elements alone; false if the enumeration has no such runs. `at`: what became of two events. */
static bool with_elements(const struct modelled *m, const bool *kept, struct run *to, uint32_t at[2]) {
  struct fate fates[RUN_EVENTS] = {0};
  uint32_t looked[2] = {at[0], at[1]};
  memset(to, 0, sizeof *to);
  to->threads = m->r->threads, to->round = m->r->round;
  for (size_t i = 0; i < m->core.elements.count; i++)
    if (!is_there(m, i, kept)) leave_out(m, &m->core.elements.data[i], fates);
  for (size_t i = 0; i < m->core.elements.count; i++)
    if (!kept[i] && (m->core.elements.data[i].kind == CORE_TRY || m->core.elements.data[i].kind == CORE_OBJECT))
      leave_out_all(m, &m->core.elements.data[i], fates);
  for (uint32_t i = 0; i < m->r->n; i++) {
    struct event e = m->r->trace[i];
    bool waits = e.op == EVENT_WAIT_ENTER || e.op == EVENT_WAIT_LEAVE;
    if (waits && fates[i].bare && !fates[i].plain) return false;
    if (fates[i].gone || (fates[i].bare && fates[i].plain)) continue;
    if (to->n + 2 >= RUN_EVENTS || to->length[e.thread] + 2u >= RUN_LENGTH) return false;
    if (fates[i].plain && fates[i].decides) run_add(to, &(struct event){.op = RECORDED_BRANCH, .thread = e.thread});
    if (fates[i].plain) e = changed(&e);
    for (uint32_t k = 0; k < 2; k++)
      if (looked[k] == i) at[k] = to->n;
    run_add(to, &e);
  }
  return true;
}

/* --- what is possible there --- */

struct goal {
  const struct run *r;
  uint32_t a, b;
};
static bool any(const void *data, const struct run_state *s, const struct event *e) {
  (void)data, (void)s, (void)e;
  return true;
}
static bool shows(const void *data, const struct run_state *s) {
  const struct goal *g = data;
  const struct event *a = &g->r->trace[g->a], *b = &g->r->trace[g->b];
  return run_next(g->r, s, a->thread) == a && run_next(g->r, s, b->thread) == b && truth_races(g->r, s, a, b);
}

enum possible { POSSIBLE, IMPOSSIBLE, NOT_KNOWN };
static enum possible possible(const struct modelled *m, const bool *kept, uint32_t a, uint32_t b) {
  static struct run r;
  uint32_t at[2] = {a, b};
  bool complete;
  if (!with_elements(m, kept, &r, at)) return NOT_KNOWN;
  struct goal goal = {&r, at[0], at[1]};
  if (truth_reaches(&r, any, shows, &goal, &complete)) return POSSIBLE;
  return complete ? IMPOSSIBLE : NOT_KNOWN;
}

/* --- pairs --- */

static const char *kind_text(enum core_kind kind) {
  static const char *const texts[] = {"reads", "reuses", "tries", "waits", "objects", "frees", "sections", "joins", "forks"};
  return texts[kind];
}

static bool check_one(struct counts *n, const struct modelled *m, const bool *kept, uint32_t a, uint32_t b, enum possible wanted) {
  enum possible is = possible(m, kept, a, b);
  n->skipped += is == NOT_KNOWN;
  return is == NOT_KNOWN || is == wanted;
}

static void check_pair(struct counts *n, struct modelled *m, uint32_t a, uint32_t b, bool truth) {
  static bool kept[4 * RUN_EVENTS];
  struct causal_trace trace = recorded_model_trace(&m->model);
  uint32_t p = m->model.places.data[a], q = m->model.places.data[b];
  if (p == RECORDED_NONE || q == RECORDED_NONE) return;
  enum causal_answer answer = core_find(&m->core, m->causal, &trace, p, q, 0);
  bool right = answer == (truth ? CAUSAL_YES : CAUSAL_NO);
  memset(kept, 0, sizeof kept);
  for (size_t i = 0; !truth && i < m->core.left.count; i++) {
    kept[m->core.left.data[i]] = true;
    n->by_kind[m->core.elements.data[m->core.left.data[i]].kind]++;
  }
  if (!truth) right &= check_one(n, m, kept, a, b, IMPOSSIBLE);
  for (size_t i = 0; !truth && i < m->core.left.count; i++) {
    kept[m->core.left.data[i]] = false;
    right &= check_one(n, m, kept, a, b, POSSIBLE);
    kept[m->core.left.data[i]] = true;
  }
  n->pairs += !truth, n->elements += truth ? 0 : m->core.left.count, n->wrong += !right;
  if (right) return;
  printf("events %u and %u, %s: answer %d, a core of %zu\n", a, b, truth ? "a race" : "no race", (int)answer, m->core.left.count);
  for (size_t i = 0; i < m->core.left.count; i++) {
    const struct core_element *x = &m->core.elements.data[m->core.left.data[i]];
    printf("  %s %d to %d\n", kind_text(x->kind), (int)origin(m, x->first), (int)origin(m, x->last));
  }
}

static bool conflict(const struct event *a, const struct event *b) {
  bool atomic = a->order != ORDER_PLAIN && b->order != ORDER_PLAIN;
  if (!run_is_judged(a) || !run_is_judged(b) || a->op == EVENT_FREE || b->op == EVENT_FREE || atomic) return false;
  return a->thread != b->thread && run_overlap(a, b) && (run_writes(a) || run_writes(b));
}

static void check_trace(const struct settings *o, struct counts *n, struct modelled *m, uint64_t seed) {
  static struct truth truth;
  struct run r;
  unsigned features = o->features >= 0 ? (unsigned)o->features : (unsigned)(seed * 0x9e3779b97f4a7c15u >> 40) % RECORDED_FEATURES;
  uint64_t wrong = n->wrong;
  recorded_generate(&r, seed, features | o->also, 6 + (uint32_t)(seed % (o->events - 5)));
  truth_find(&truth, &r);
  if (!truth.complete || r.round < r.threads) return; /* a barrier that more threads use than a round takes keeps the order of the run */
  n->traces++;
  model(m, &r);
  for (uint32_t a = 0; a < r.n; a++)
    for (uint32_t b = a + 1; b < r.n; b++)
      if (conflict(&r.trace[a], &r.trace[b])) check_pair(n, m, a, b, truth.race[a][b]);
  if (n->wrong > wrong) printf("seed %llu\n", (unsigned long long)seed), recorded_print(&r);
}

int main(int argc, char **argv) {
  static struct modelled m;
  struct settings o = {.traces = 1000, .seed = 1, .features = -1, .events = 14};
  struct counts n = {0};
  for (int i = 1; i < argc; i++) {
    const char *value = strchr(argv[i], '=');
    if (value && strncmp(argv[i], "--traces", 8) == 0) o.traces = strtoull(value + 1, NULL, 10);
    if (value && strncmp(argv[i], "--seed", 6) == 0) o.seed = strtoull(value + 1, NULL, 10);
    if (value && strncmp(argv[i], "--features", 10) == 0) o.features = strtol(value + 1, NULL, 0);
    if (value && strncmp(argv[i], "--also", 6) == 0) o.also = (unsigned)strtoul(value + 1, NULL, 0);
    if (value && strncmp(argv[i], "--events", 8) == 0) o.events = (uint32_t)strtoul(value + 1, NULL, 10);
  }
  if (o.events < 6 || o.events > 24) return 2;
  struct causal_options options = {.memory = CAUSAL_SC, .recorded = true, .initial = recorded_model_initial, .data = &m.model};
  m.causal = causal_new(&options);
  for (uint64_t i = 0; i < o.traces; i++) check_trace(&o, &n, &m, o.seed + i);
  printf("%llu traces, %llu pairs without a race, %.2f elements each:", (unsigned long long)n.traces, (unsigned long long)n.pairs,
         (double)n.elements / (double)(n.pairs ? n.pairs : 1));
  for (enum core_kind k = CORE_READ; k <= CORE_FORK; k++) printf(" %llu %s,", (unsigned long long)n.by_kind[k], kind_text(k));
  printf(" %llu checks beyond the enumeration; %llu wrong\n", (unsigned long long)n.skipped, (unsigned long long)n.wrong);
  causal_free(m.causal);
  core_release(&m.core);
  recorded_model_release(&m.model);
  recorded_state_release(&m.state);
  recorded_free(&m.events);
  truth_release();
  return n.wrong > 0 || n.pairs == 0;
}
