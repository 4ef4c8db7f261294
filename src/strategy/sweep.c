/* Every state once, every step in each, in the order of depth-first search: what is done where a program has schedules without end
 * (session_sweeps()).
 *
 * A livelock is a circle of states, and reductions do not go well with circles: they leave out a step at a state because it is taken later,
 * and in a circle "later" may be never. This one leaves out nothing but states that were entered before, on the present path or another
 * one: the circle is cut where it closes, and all that can be reached from it is explored. What is part of a state for that, and why no
 * data race is lost, is the same as in maximal (docs/maximal.md). */
#include <string.h>

#include "states/past.h"
#include "states/visited.h"
#include "strategy/strategy.h"

struct node {
  struct tset left; /* threads not tried yet */
  uint32_t threads, tried, alternatives;
};

struct strategy {
  struct strategy_options options;
  struct past past;
  struct visited entered;
  struct schedule path;
  struct schedule prefix; /* borrows path's array */
  VEC(struct node) nodes; /* nodes.data[i] is the state before path.steps.data[i] */
  bool started, resumed;
};

static struct strategy *sweep_create(const struct strategy_options *options) {
  struct strategy *s = mem_alloc(sizeof *s);
  s->options = *options;
  s->past.no_races = options->no_races;
  s->entered.most = states_memory(options);
  return s;
}

static void sweep_restart(struct strategy *s) {
  past_clear(&s->past);
  visited_clear(&s->entered);
  vec_clear(&s->path.steps);
  vec_clear(&s->nodes);
  s->started = s->resumed = s->past.grown = false;
}

static void sweep_destroy(struct strategy *s) {
  past_release(&s->past);
  visited_release(&s->entered);
  vec_release(&s->path.steps);
  vec_release(&s->nodes);
  mem_free(s, sizeof *s);
}

/* Moves on to the next step of the deepest node that has one. */
static bool advance(struct strategy *s) {
  for (; s->nodes.count > 0; s->nodes.count--, s->path.steps.count--) {
    struct node *n = &vec_last(&s->nodes);
    struct step *step = &vec_last(&s->path.steps);
    past_pop(&s->past, (uint32_t)s->nodes.count - 1);
    if (++step->choice < n->alternatives) return true;
    uint32_t t = tset_next(&n->left, 0);
    if (t == THREADS_MAX) continue;
    tset_remove(&n->left, t);
    n->tried++;
    *step = (struct step){.thread = t};
    n->alternatives = 0; /* known when the state is reached again */
    return true;
  }
  return false;
}

static const struct schedule *sweep_next(struct strategy *s) {
  if (s->started && !advance(s)) return NULL;
  s->resumed = s->started;
  s->started = true;
  s->prefix = s->path;
  if (s->resumed) s->prefix.steps.count--;
  return &s->prefix;
}

static void enter_new_steps(struct strategy *s, const struct execution *x) {
  for (uint32_t i = (uint32_t)s->past.steps.count; i < x->depth; i++)
    past_push(&s->past, x->steps[i].thread, x->trace, i ? x->ends[i - 1] : 0, x->ends[i]);
}

/* Enters the present state. False: it was entered before. */
static bool enter_state(struct strategy *s, const struct execution *x) {
  struct fingerprint key = execution_fingerprint(x), past = past_fingerprint(&s->past, x->alive);
  key.lo += past.lo + x->loops, key.hi += past.hi + x->loops;
  if (s->options.outcomes) key.lo += hash_mix(execution_output(x));
  if (visited_find(&s->entered, key) != NOT_VISITED) return false;
  visited_add(&s->entered, key, 0);
  return true;
}

static enum pick sweep_pick(struct strategy *s, const struct execution *x, struct step *step) {
  enter_new_steps(s, x);
  if (!s->resumed) {
    if (!enter_state(s, x)) return PICK_GIVE_UP;
    struct node n = {.left = *x->enabled, .threads = tset_count(x->enabled), .tried = 1};
    uint32_t t = x->depth > 0 ? x->steps[x->depth - 1].thread : 0;
    if (!tset_has(&n.left, t)) t = tset_next(&n.left, 0);
    tset_remove(&n.left, t);
    *vec_push(&s->nodes) = n;
    *vec_push(&s->path.steps) = (struct step){.thread = t};
  }
  s->resumed = false;
  *step = vec_last(&s->path.steps);
  struct node *n = &vec_last(&s->nodes);
  if (n->alternatives == 0) n->alternatives = execution_alternatives(x, step->thread);
  return PICK_RETURN;
}

static void sweep_done(struct strategy *s, const struct execution *x, enum execution_end end, bool cut, bool given_up) {
  (void)end, (void)cut, (void)given_up;
  enter_new_steps(s, x);
}

static bool sweep_again(const struct strategy *s) { return s->past.grown; }

/* An execution shows what its new steps are part of, wherever it ends. */
static bool sweep_suspects(const struct strategy *s) { return (void)s, true; }

static bool sweep_bounded(const struct strategy *s) { return (void)s, false; }

static unsigned sweep_counters(const struct strategy *s, struct strategy_counter *out) {
  out[0] = (struct strategy_counter){.name = "states", .number = s->entered.count};
  out[1] = (struct strategy_counter){.name = "forgotten", .number = s->entered.forgotten};
  return 2;
}

static double sweep_progress(const struct strategy *s) {
  struct tree_share p = {.width = 1};
  for (size_t i = 0; i < s->nodes.count; i++) {
    const struct node *n = &s->nodes.data[i];
    tree_share_descend(&p, n->threads, n->tried - 1, n->alternatives, s->path.steps.data[i].choice);
  }
  return p.done;
}

const struct strategy_type strategy_sweep = {
    .name = "sweep",
    .summary = "every state once: behind a livelock",
    .exhaustive = true,
    .given_up = "led to a state already explored",
    .create = sweep_create,
    .destroy = sweep_destroy,
    .restart = sweep_restart,
    .next = sweep_next,
    .pick = sweep_pick,
    .done = sweep_done,
    .again = sweep_again,
    .suspects = sweep_suspects,
    .bounded = sweep_bounded,
    .counters = sweep_counters,
    .progress = sweep_progress,
};
