/* Partial-order reduction under a bound on preemptions (Coons, Musuvathi, McKinley: "Bounded partial-order reduction", OOPSLA 2013).
 *
 * A preemption is a switch away from a thread that could go on. Reversing a race where it happened may cost a preemption that another
 * order of the same trace does not need, so a second, conservative point is added where the running thread's block began: switching there
 * is free or was already paid for. Sleep sets are off: a sleeping step's executions may have been over the bound. So equivalent
 * executions occur more than once, but every trace that has an order within the bound is seen. */
#include "explore/dpor.h"

/* Preemptions that taking `thread` at node `i` makes in all. */
static uint32_t cost(const struct strategy *s, uint32_t i, uint32_t thread) {
  const struct dpor_node *n = &s->nodes.data[i];
  if (i == 0) return 0;
  uint32_t running = s->path.steps.data[i - 1].thread;
  return n->preemptions + (running != thread && tset_has(&n->enabled, running));
}

void bounded_enter(struct strategy *s, struct dpor_node *n, const struct execution *x) {
  (void)x;
  uint32_t i = (uint32_t)s->nodes.count;
  if (i > 0) n->preemptions = cost(s, i - 1, s->path.steps.data[i - 1].thread);
}

static void add(struct strategy *s, uint32_t node, uint32_t thread) {
  struct dpor_node *n = &s->nodes.data[node];
  if (tset_has(&n->backtrack, thread)) return;
  if (cost(s, node, thread) > s->options.bound) {
    s->bound_hit = true;
  } else {
    tset_add(&n->backtrack, thread);
  }
}

static void add_or_all(struct strategy *s, uint32_t node, uint32_t thread) {
  const struct tset enabled = s->nodes.data[node].enabled;
  if (tset_has(&enabled, thread)) {
    add(s, node, thread);
    return;
  }
  for (uint32_t t = tset_next(&enabled, 0); t < THREADS_MAX; t = tset_next(&enabled, t + 1)) add(s, node, t);
}

void bounded_reverse(struct strategy *s, uint32_t node, uint32_t thread) {
  add_or_all(s, node, thread);
  uint32_t running = s->path.steps.data[node].thread;
  while (node > 0 && s->path.steps.data[node - 1].thread == running) node--;
  add_or_all(s, node, thread);
}
