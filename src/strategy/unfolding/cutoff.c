#include "strategy/unfolding/cutoff.h"

#define NO_STATE UINT32_MAX

void cutoffs_init(struct cutoffs *c, const struct strategy_options *options) {
  *c = (struct cutoffs){.wanted = options->cutoffs, .outcomes = options->outcomes};
  c->past.no_races = options->no_races;
  c->states.most = states_memory(options);
}

void cutoffs_clear(struct cutoffs *c) {
  past_clear(&c->past);
  c->past.grown = c->past.news = false;
  visited_clear(&c->states);
  vec_clear(&c->sizes);
  vec_clear(&c->events);
  c->number = 0;
}

void cutoffs_release(struct cutoffs *c) {
  past_release(&c->past);
  visited_release(&c->states);
  vec_release(&c->sizes);
  vec_release(&c->events);
  vec_release(&c->causes);
}

/* The number of the present state. */
static uint32_t enter_state(struct cutoffs *c, const struct execution *x) {
  past_pop(&c->past, 0);
  for (uint32_t i = 0; i < x->depth; i++) past_push(&c->past, x->steps[i].thread, x->trace, i ? x->ends[i - 1] : 0, x->ends[i]);
  struct fingerprint key = execution_fingerprint(x), past = past_fingerprint(&c->past, x->alive);
  key.lo += past.lo, key.hi += past.hi;
  if (c->outcomes) key.lo += hash_mix(execution_output(x)), key.hi += execution_output(x);
  uint32_t state = visited_find(&c->states, key);
  if (state == NOT_VISITED) {
    state = (uint32_t)c->sizes.count;
    *vec_push(&c->sizes) = x->depth;
    visited_add(&c->states, key, state);
  }
  if (x->depth < c->sizes.data[state]) c->sizes.data[state] = x->depth;
  return state;
}

void cutoffs_begin(struct cutoffs *c, const struct execution *x) { enter_state(c, x); }

struct visit {
  struct cutoffs *c;
  const struct execution *x;
  uint32_t state;
};

/* The step that the execution takes next to its causes alone has to be the same as among others. */
static bool same_last(const struct execution *a, const struct execution *b) {
  uint32_t na = a->ends[a->depth - 1], nb = b->ends[b->depth - 1];
  uint32_t before_a = a->depth > 1 ? a->ends[a->depth - 2] : 0, before_b = b->depth > 1 ? b->ends[b->depth - 2] : 0;
  if (na - before_a != nb - before_b) return false;
  for (uint32_t i = 0; i < na - before_a; i++) {
    const struct event *e = &a->trace[before_a + i], *f = &b->trace[before_b + i];
    if (e->op != f->op || e->object != f->object || e->value != f->value || e->site != f->site) return false;
  }
  return true;
}

static void visit_state(void *data, const struct execution *there) {
  struct visit *v = data;
  if (same_last(there, v->x)) v->state = enter_state(v->c, there);
}

enum cutoff cutoffs_judge(struct cutoffs *c, const struct execution *x, const struct history *h, struct visited *names,
                          struct fingerprint name) {
  uint32_t last = (uint32_t)h->steps.count - 1, known = visited_find(names, name);
  vec_clear(&c->causes);
  for (uint32_t i = 0; i <= last; i++)
    if (history_before(h, i, last)) *vec_push(&c->causes) = x->steps[i];
  uint32_t size = (uint32_t)c->causes.count;
  if (known == NOT_VISITED || known == 0) {
    struct visit v = {c, x, NO_STATE};
    if (size == x->depth)
      v.state = enter_state(c, x);
    else if (!execution_visit(x, c->causes.data, size, visit_state, &v))
      return CUTOFF_LOST;
    known = (uint32_t)c->events.count + 1;
    *vec_push(&c->events) = (struct cutoff_event){.state = v.state};
    visited_add(names, name, known);
  }
  struct cutoff_event *e = &c->events.data[known - 1];
  if (e->state == NO_STATE || c->sizes.data[e->state] >= size) return CUTOFF_NO;
  c->number += !e->is_cutoff;
  e->is_cutoff = c->any = true;
  return CUTOFF_YES;
}
