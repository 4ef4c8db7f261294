#include "witness_explore.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "causal/causal.h"

/* A prefix: steps, and what the last one is to return. */
struct prefix {
  uint32_t n;
  uint32_t kept[SIM_THREADS]; /* events of each thread that all executions below have */
  struct prefix_step {
    uint8_t thread, index;
    bool flush, changes;
    uint64_t wanted;
  } steps[2 * SIM_TRACE];
};

struct explorer {
  const struct sim *program;
  struct causal *c;
  VEC(struct prefix) todo;
  struct sim_state s;
  struct sim x; /* the execution */
  uint32_t issued[SIM_THREADS][SIM_BUFFER];
};

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void sort(struct outcomes *x) {
  size_t n = 0;
  if (x->seen.count == 0) return;
  qsort(x->seen.data, x->seen.count, sizeof *x->seen.data, by_value);
  for (size_t i = 0; i < x->seen.count; i++)
    if (n == 0 || x->seen.data[n - 1] != x->seen.data[i]) x->seen.data[n++] = x->seen.data[i];
  x->seen.count = n;
}

void outcomes_release(struct outcomes *x) { vec_release(&x->seen); }

/* --- every step in every state --- */

struct history {
  struct sim_state s;
  uint64_t read[SIM_THREADS]; /* hashes of what the thread's reads returned */
};

static void note_outcome(struct outcomes *out, const struct sim *program, const uint64_t *read, const struct sim_state *s) {
  uint64_t h = 7;
  for (uint32_t t = 0; t < program->threads; t++) {
    if (s->position[t] < program->length[t]) return;
    h = hash_pair(h, read[t]);
  }
  *vec_push(&out->seen) = h;
}

static uint64_t note_result(uint64_t h, const struct event *e) {
  uint64_t result;
  return causal_is_read(e, &result) ? hash_pair(h, result + 1) : h;
}

uint64_t outcome_of(const struct sim *program, const uint64_t (*values)[SIM_LENGTH]) {
  uint64_t h = 7;
  for (uint32_t t = 0; t < program->threads; t++) {
    uint64_t read = 0, was;
    for (uint32_t i = 0, k = 0; i < program->length[t]; i++)
      if (causal_is_read(&program->trace[program->by_thread[t][i]], &was)) read = hash_pair(read, values[t][k++] + 1);
    h = hash_pair(h, read);
  }
  return h;
}

bool outcomes_have(const struct outcomes *x, uint64_t outcome) {
  for (size_t i = 0; i < x->seen.count; i++)
    if (x->seen.data[i] == outcome) return true;
  return false;
}

static bool visit(struct hashmap *known, const struct history *h) {
  bool is_new = false;
  (void)hashmap_at(known, hash_bytes(h, sizeof *h, 3), 0, &is_new);
  return is_new;
}

void explore_all(const struct sim *program, struct outcomes *out, uint64_t most) {
  VEC(struct history) todo = {0};
  struct hashmap known = {0};
  struct history first = {0};
  *out = (struct outcomes){0};
  sim_begin(program, &first.s);
  *vec_push(&todo) = first;
  while (todo.count && out->executions++ < most) {
    struct history h = vec_pop(&todo);
    bool moved = false;
    for (uint32_t t = 0; t < program->threads; t++) {
      struct event became[SIM_OUTCOMES];
      const struct event *e = sim_next(program, &h.s, t, 0);
      uint32_t n = e ? sim_outcomes(program, &h.s, e, UINT64_MAX, became) : 0;
      for (uint32_t i = 0; i < n; i++) {
        struct history next = h;
        sim_apply(program, &next.s, &became[i]);
        next.read[t] = note_result(next.read[t], &became[i]);
        for (uint32_t rest = sim_step_length(program, t, e->index) - 1; rest > 0; rest--) {
          struct event inner[SIM_OUTCOMES];
          sim_outcomes(program, &next.s, sim_next(program, &next.s, t, 0), UINT64_MAX, inner);
          sim_apply(program, &next.s, inner);
          next.read[t] = note_result(next.read[t], inner);
        }
        if (visit(&known, &next)) *vec_push(&todo) = next;
        moved = true;
      }
      for (uint32_t flushes = sim_flushes(program, &h.s, t), i = 0; i < flushes; i++) {
        struct history next = h;
        sim_flush(program, &next.s, t, i);
        if (visit(&known, &next)) *vec_push(&todo) = next;
        moved = true;
      }
    }
    if (!moved) note_outcome(out, program, h.read, &h.s);
  }
  out->complete = todo.count == 0;
  sort(out);
  vec_release(&todo);
  hashmap_release(&known);
}

/* --- by the causal model --- */

/* Lets the thread take its next event, with the result that is wanted, if any. False: it cannot. */
static bool execute(struct explorer *x, uint32_t t, const uint64_t *wanted) {
  struct event out[SIM_OUTCOMES];
  struct sim_state *s = &x->s;
  const struct event *e = sim_next(x->program, s, t, 0);
  uint32_t n = e ? sim_outcomes(x->program, s, e, UINT64_MAX, out) : 0, i = 0;
  uint64_t result;
  while (i < n && wanted && causal_is_read(&out[i], &result) && result != *wanted) i++;
  if (i >= n) return false;
  struct event *to = &x->x.trace[x->x.n];
  uint32_t stores = s->stores[t];
  *to = out[i];
  x->x.by_thread[t][x->x.length[t]++] = x->x.n++;
  sim_apply(x->program, s, to);
  if (s->stores[t] > stores) x->issued[t][stores] = x->x.n - 1;
  return true;
}

static void flush(struct explorer *x, uint32_t t, uint32_t i) {
  sim_forget(&x->s, t, i, x->issued);
  sim_flush_at(&x->s, t, i);
}

static bool flush_event(struct explorer *x, uint32_t t, uint32_t index) {
  for (uint32_t i = 0; i < x->s.stores[t]; i++) {
    if (x->x.trace[x->issued[t][i]].index != index || !sim_may_flush(x->program, &x->s, t, i)) continue;
    flush(x, t, i);
    return true;
  }
  return false;
}

static bool follow(struct explorer *x, const struct prefix *p) {
  for (uint32_t i = 0; i < p->n; i++) {
    const struct prefix_step *step = &p->steps[i];
    bool done = step->flush ? flush_event(x, step->thread, step->index) : execute(x, step->thread, &step->wanted);
    if (!done) return false;
  }
  return true;
}

/* Ends sections that the prefix ends in. */
static void finish_steps(struct explorer *x) {
  for (uint32_t t = 0; t < x->program->threads; t++) {
    const struct event *e;
    while ((e = sim_next(x->program, &x->s, t, 0)) && (e->flags & EVENT_INTERNAL)) execute(x, t, NULL);
  }
}

/* Goes on to the end: each thread as far as it comes; buffers are emptied when nothing else is left. */
static void complete(struct explorer *x) {
  for (bool moved = true; moved;) {
    moved = false;
    for (uint32_t t = 0; t < x->program->threads; t++)
      while (execute(x, t, NULL)) moved = true;
    for (uint32_t t = 0; !moved && t < x->program->threads; t++) {
      for (uint32_t i = 0; !moved && i < x->s.stores[t]; i++) {
        if (!sim_may_flush(x->program, &x->s, t, i)) continue;
        flush(x, t, i);
        moved = true;
      }
    }
  }
}

static void add_step(struct prefix *p, const struct event *e, bool is_flush, uint64_t wanted) {
  p->steps[p->n++] = (struct prefix_step){.thread = (uint8_t)e->thread, .index = (uint8_t)e->index, .flush = is_flush, .wanted = wanted};
}

/* The new prefix: the witness. What is kept below: what was, and the changed read with all before it in its thread. */
static void add_prefix(struct explorer *x, const uint32_t *kept, uint32_t changed, uint64_t result) {
  struct prefix *p = vec_push(&x->todo);
  uint32_t n;
  uint64_t was = 0;
  p->n = 0;
  memcpy(p->kept, kept, sizeof p->kept);
  p->kept[x->x.trace[changed].thread] = x->x.trace[changed].index + 1;
  const struct causal_step *steps = causal_witness(x->c, &n);
  for (uint32_t i = 0; i < n; i++) {
    const struct event *e = &x->x.trace[steps[i].event];
    (void)causal_is_read(e, &was);
    add_step(p, e, steps[i].flush, steps[i].event == changed ? result : was);
  }
}

static const char *ask(struct explorer *x, const uint32_t *kept) {
  bool flags[SIM_TRACE];
  struct causal_trace trace = {.events = x->x.trace, .n = x->x.n, .kept = flags};
  for (uint32_t i = 0; i < x->x.n; i++) flags[i] = x->x.trace[i].index < kept[x->x.trace[i].thread];
  for (uint32_t t = 0; t < x->program->threads; t++) {
    const struct event *e = x->s.begun >> t & 1 ? sim_next(x->program, &x->s, t, 0) : NULL;
    if (e) x->x.trace[x->x.n + trace.pending++] = *e;
  }
  causal_build(x->c, &trace);
  if (causal_limit(x->c)) return causal_limit(x->c);
  for (uint32_t e = 0; e < x->x.n; e++) {
    if (flags[e]) continue;
    uint64_t values[512];
    bool all;
    uint32_t n = causal_values(x->c, e, values, 512, &all);
    if (!all || n > 512) return "too many values";
    for (uint32_t i = 0; i < n; i++) {
      enum causal_answer answer = causal_read(x->c, e, values[i]);
      if (answer == CAUSAL_YES) add_prefix(x, kept, e, values[i]);
      if (answer == CAUSAL_UNKNOWN) return "an unknown answer";
    }
  }
  for (uint32_t p = x->x.n; p < x->x.n + trace.pending; p++) {
    enum causal_answer answer = causal_reach(x->c, p);
    if (answer == CAUSAL_YES) add_prefix(x, kept, p, 1);
    if (answer == CAUSAL_UNKNOWN) return "an unknown answer about a blocked thread";
  }
  return NULL;
}

static const char *run(struct explorer *x, const struct prefix *p, struct outcomes *out) {
  uint64_t read[SIM_THREADS] = {0};
  x->x = *x->program;
  x->x.n = x->x.flushes = 0;
  memset(x->x.length, 0, sizeof x->x.length);
  sim_begin(x->program, &x->s);
  if (!follow(x, p)) return "a prefix that cannot be followed";
  finish_steps(x);
  complete(x);
  for (uint32_t i = 0; i < x->x.n; i++) read[x->x.trace[i].thread] = note_result(read[x->x.trace[i].thread], &x->x.trace[i]);
  note_outcome(out, x->program, read, &x->s);
  return ask(x, p->kept);
}

const char *explore_causal(const struct sim *program, struct causal *c, struct outcomes *out, uint64_t most) {
  struct explorer *x = calloc(1, sizeof *x);
  const char *wrong = NULL;
  *out = (struct outcomes){0};
  x->program = program, x->c = c;
  *vec_push(&x->todo) = (struct prefix){0};
  while (!wrong && x->todo.count && out->executions++ < most) {
    struct prefix p = vec_pop(&x->todo);
    wrong = run(x, &p, out);
  }
  out->complete = x->todo.count == 0;
  sort(out);
  vec_release(&x->todo);
  free(x);
  return wrong;
}
