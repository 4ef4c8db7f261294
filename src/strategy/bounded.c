/* Partial-order reduction under a bound on preemptions (after Coons, Musuvathi, McKinley: "Bounded partial-order reduction", OOPSLA 2013).
 *
 * A preemption is a switch away from a thread that could go on. Reversing a race where it happened may cost a preemption that another
 * order of the same trace does not need: switching where the running thread's block began is free or was already paid for, and switching
 * inside of it can be cheaper still, if the thread switched to is soon blocked by what the block holds. The paper adds the block's start as
 * a second, conservative point; with locks that is not enough, so here every state of the block is one, and operations that the earlier
 * step enables (an acquire behind a release) count as races too. Sleep sets are off: a sleeping step's executions may have been over the
 * bound. So equivalent executions occur more than once, but every trace that has an order within the bound is seen. */
#include "strategy/dpor.h"

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

void bounded_reverse(struct strategy *s, uint32_t node, uint32_t thread) {
  uint32_t running = s->path.steps.data[node].thread;
  for (uint32_t i = node;; i--) {
    const struct tset enabled = s->nodes.data[i].enabled;
    bool first = i == 0 || s->path.steps.data[i - 1].thread != running;
    if (tset_has(&enabled, thread)) {
      add(s, i, thread);
    } else if (i == node || first) { /* somebody else must go first */
      for (uint32_t t = tset_next(&enabled, 0); t < THREADS_MAX; t = tset_next(&enabled, t + 1)) add(s, i, t);
    }
    if (first) return;
  }
}
