#include "strategy/mcr/trace.h"

#include <string.h>

#include "base/hash.h"
#include "machine/machine.h"

void mcr_trace_release(struct mcr_trace *t) {
  vec_release(&t->events);
  vec_release(&t->steps);
  vec_release(&t->flushes);
}

static bool is_agent(bool buffers, uint32_t thread) { return buffers && thread >= AGENTS_FROM; }

static void add(struct mcr_trace *t, const struct event *e, uint32_t step) {
  *vec_push(&t->events) = *e;
  *vec_push(&t->steps) = step;
}

/* The trace has the program's events alone; what is flushed later than in the prefix the model decides. */
static void add_flush(struct mcr_trace *t, const struct event *flush) {
  uint32_t thread = flush_thread(flush), store = (uint32_t)t->events.count;
  while (store-- > 0)
    if (t->events.data[store].thread == thread && t->events.data[store].index == flush_store(flush)) break;
  *vec_push(&t->flushes) = (struct causal_flush){.event = store, .at = (uint32_t)t->events.count};
}

void mcr_trace_take(struct mcr_trace *t, const struct execution *x, uint32_t fixed, bool cut) {
  vec_clear(&t->events);
  vec_clear(&t->steps);
  vec_clear(&t->flushes);
  t->prefix = 0;
  t->buffers = execution_options(x)->memory != MEMORY_SC;
  for (uint32_t step = 0; step < x->depth; step++) {
    for (uint32_t i = step ? x->ends[step - 1] : 0; i < x->ends[step]; i++) {
      if (x->trace[i].op != EVENT_FLUSH)
        add(t, &x->trace[i], step);
      else if (step < fixed)
        add_flush(t, &x->trace[i]);
    }
    if (step + 1 == fixed) t->prefix = (uint32_t)t->events.count;
  }
  t->n = (uint32_t)t->events.count;
  uint32_t gone = cut && x->depth ? x->steps[x->depth - 1].thread : THREADS_MAX;
  for (uint32_t i = tset_next(x->alive, 0); i < THREADS_MAX; i = tset_next(x->alive, i + 1)) {
    const struct event *pending = execution_pending(x, i);
    if (i != gone && !is_agent(t->buffers, i) && pending->op != EVENT_NONE) add(t, pending, x->depth + i);
  }
  t->pending = (uint32_t)t->events.count - t->n;
}

/* What a step does besides (its thread ends; a thread that it begins ends at once) may come later in a witness: it happened with the step.
 */
static bool begins_step(const struct mcr_trace *t, uint32_t event) {
  return event == 0 || t->steps.data[event - 1] != t->steps.data[event];
}

void mcr_trace_steps(const struct mcr_trace *t, const struct causal_step *witness, uint32_t n, struct schedule *out,
                     struct mcr_sites *sites) {
  for (uint32_t i = 0; i < n; i++) {
    const struct causal_step *w = &witness[i];
    if (w->flush) {
      *vec_push(&out->steps) = (struct step){.thread = THREADS_MAX + w->thread, .choice = w->index};
      if (sites) *vec_push(&sites->sites) = UINT32_MAX;
    } else if (begins_step(t, w->event)) {
      *vec_push(&out->steps) = (struct step){.thread = w->thread, .choice = w->choice};
      if (sites) *vec_push(&sites->sites) = t->events.data[w->event].site;
    }
  }
}

bool mcr_trace_resolve(const struct execution *x, struct step *step) {
  if (step->thread < THREADS_MAX) return tset_has(x->enabled, step->thread) && step->choice < execution_alternatives(x, step->thread);
  uint64_t store = flush_value2(step->thread - THREADS_MAX, step->choice);
  for (uint32_t t = tset_next(x->enabled, AGENTS_FROM); t < THREADS_MAX; t = tset_next(x->enabled, t + 1)) {
    const struct event *e = execution_pending(x, t);
    if (e->op != EVENT_FLUSH || e->value2 != store) continue;
    *step = (struct step){.thread = t};
    return true;
  }
  return false;
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
