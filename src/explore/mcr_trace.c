#include "explore/mcr_trace.h"

#include <string.h>

#include "base/hash.h"

void mcr_trace_release(struct mcr_trace *t) {
  vec_release(&t->events);
  vec_release(&t->steps);
}

static void add(struct mcr_trace *t, const struct event *e, uint32_t step) {
  *vec_push(&t->events) = *e;
  *vec_push(&t->steps) = step;
}

void mcr_trace_take(struct mcr_trace *t, const struct execution *x, uint32_t fixed, bool cut) {
  vec_clear(&t->events);
  vec_clear(&t->steps);
  for (uint32_t step = 0; step < x->depth; step++)
    for (uint32_t i = step ? x->ends[step - 1] : 0; i < x->ends[step]; i++) add(t, &x->trace[i], step);
  t->n = (uint32_t)t->events.count;
  t->prefix = fixed ? x->ends[fixed - 1] : 0;
  uint32_t gone = cut && x->depth ? x->steps[x->depth - 1].thread : THREADS_MAX;
  for (uint32_t i = tset_next(x->alive, 0); i < THREADS_MAX; i = tset_next(x->alive, i + 1))
    if (i != gone) add(t, execution_pending(x, i), x->depth + i);
  t->pending = (uint32_t)t->events.count - t->n;
}

void mcr_trace_steps(const struct mcr_trace *t, const struct causal_step *witness, uint32_t n, struct schedule *out) {
  uint32_t last = UINT32_MAX;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t step = t->steps.data[witness[i].event];
    if (step != last) *vec_push(&out->steps) = (struct step){.thread = witness[i].thread, .choice = witness[i].choice};
    last = step;
  }
}

uint64_t mcr_trace_state(const struct mcr_trace *t) {
  uint64_t of_thread[THREADS_MAX], state = 0;
  struct tset seen = {0};
  for (uint32_t i = 0; i < t->n; i++) {
    const struct event *e = &t->events.data[i];
    uint64_t result;
    if (!causal_is_read(e, &result)) continue;
    if (!tset_has(&seen, e->thread)) of_thread[e->thread] = hash_mix(e->thread);
    tset_add(&seen, e->thread);
    of_thread[e->thread] = hash_pair(of_thread[e->thread], result);
  }
  for (uint32_t i = tset_next(&seen, 0); i < THREADS_MAX; i = tset_next(&seen, i + 1)) state += hash_mix(of_thread[i]);
  return state;
}
