/* Every state once, every step in each, in the order of depth-first search: what is done where a program has schedules without end
 * (session_sweeps()).
 *
 * An execution that comes back to a state is a circle of states, and reductions do not go well with circles: they leave out a step at a
 * state because it is taken later, and in a circle "later" may be never. This one leaves out nothing but states that were entered before,
 * on the present path or another one: the circle is cut where it closes, and all that can be reached from it is explored. What is part of a
 * state for that, and why no data race is lost, is the same as in maximal (docs/maximal.md).
 *
 * With a bound on preemptions, how many there were and which thread runs are part of a state: what is explored behind it depends on them.
 *
 * Where the program has symbolic data, the tree of executions is one of paths (machine_explores_paths()): a step that is decided by a
 * condition leaves the inputs pending with which it is decided otherwise, and the way to it. When nothing is left to take, the exploration
 * goes on from the state behind one of these steps, with such an input (sweep_go_on()). States are the same whichever inputs led there, so
 * the table of states holds for all of them, and a program that reads input for ever comes to an end. What is behind a state that was
 * entered before is, or will be, explored from there, for all inputs.
 *
 * States that no schedule leaves are a livelock. They are a strongly connected component of the graph of states without a step out of it,
 * which Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972) finds on the way: states are numbered as they are
 * entered, and a node's `low` is the least number of a state of its component that is known to be reached from it. What reads an input
 * waits for somebody outside, who may do anything, and a step that inputs decide otherwise leads elsewhere: these leave the component. (A
 * component in which nothing is read has no such step: its states have no inputs that could still be either.) */
#include <string.h>

#include "states/past.h"
#include "states/visited.h"
#include "strategy/tree.h"

/* Of a node of the tree. */
struct component {
  uint32_t number, low;
  bool left; /* a step below leads out of the component, or to an end */
  /* With a bound: */
  uint32_t preemptions; /* before it */
  struct tset enabled;
  /* With symbolic data: */
  size_t decisions, inputs; /* before it */
  uint32_t link;            /* what leads to it; NO_LINK: not yet made */
};

/* A step of a path that leads to pending inputs. */
struct link {
  uint32_t before;      /* NO_LINK: it is the first */
  uint32_t preemptions; /* up to it, with a bound */
  struct step step;
};

#define NO_LINK UINT32_MAX

struct strategy {
  struct strategy_options options;
  struct tree tree;
  struct past past;
  struct visited entered;           /* the numbers of states */
  VEC(struct component) components; /* by node of the tree */
  VEC(uint32_t) open;               /* numbers of states whose components are not complete, ascending */
  VEC(struct schedule) endless;     /* lead to states that no schedule within the bound leaves; until sweep_forget_endless() */
  uint32_t numbers;
  bool bound_hit;
  /* With symbolic data: */
  VEC(struct link) links;
  uint32_t base; /* so many steps lead to where the tree begins, by `base_link` */
  uint32_t base_link;
};

static struct strategy *sweep_create(const struct strategy_options *options) {
  struct strategy *s = mem_alloc(sizeof *s);
  s->options = *options;
  s->base_link = NO_LINK;
  s->past.no_races = options->no_races;
  s->entered.most = states_memory(options);
  return s;
}

void sweep_forget_endless(struct strategy *s) {
  for (size_t i = 0; i < s->endless.count; i++) vec_release(&s->endless.data[i].steps);
  vec_clear(&s->endless);
}

static void sweep_restart(struct strategy *s) {
  tree_clear(&s->tree);
  past_clear(&s->past);
  visited_clear(&s->entered);
  vec_clear(&s->components);
  vec_clear(&s->open);
  vec_clear(&s->links);
  sweep_forget_endless(s);
  s->numbers = s->base = 0;
  s->base_link = NO_LINK;
  s->bound_hit = s->past.grown = false;
}

static void sweep_destroy(struct strategy *s) {
  sweep_forget_endless(s);
  tree_release(&s->tree);
  past_release(&s->past);
  visited_release(&s->entered);
  vec_release(&s->components);
  vec_release(&s->open);
  vec_release(&s->endless);
  vec_release(&s->links);
  mem_free(s, sizeof *s);
}

/* --- components --- */

/* The deepest node's state was left for good: all that can be reached from it has been entered. */
static void close_node(struct strategy *s) {
  const struct component c = vec_last(&s->components);
  s->components.count--;
  struct component *above = s->components.count ? &vec_last(&s->components) : NULL;
  if (c.low < c.number) { /* never the first node */
    if (c.low < above->low) above->low = c.low;
    above->left |= c.left;
    return;
  }
  while (s->open.count && vec_last(&s->open) >= c.number) s->open.count--;
  if (above) above->left = true;
  if (c.left) return;
  struct schedule *to = vec_push(&s->endless);
  *to = (struct schedule){0};
  schedule_add(to, s->tree.path.steps.data, s->tree.path.steps.count);
}

static bool is_open(const struct strategy *s, uint32_t number) {
  size_t low = 0, high = s->open.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (s->open.data[middle] < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low < s->open.count && s->open.data[low] == number;
}

/* The deepest node's step has led to a state that was entered before. */
static void come_back(struct strategy *s, uint32_t number) {
  struct component *c = &vec_last(&s->components);
  if (s->components.count == 0) return;
  if (!is_open(s, number))
    c->left = true;
  else if (number < c->low)
    c->low = number;
}

const struct schedule *sweep_endless(const struct strategy *s, size_t i) { return i < s->endless.count ? &s->endless.data[i] : NULL; }

/* --- the search --- */

static const struct schedule *sweep_next(struct strategy *s) {
  if (!s->tree.started) return tree_prefix(&s->tree);
  while (s->tree.nodes.count > s->base) {
    past_pop(&s->past, (uint32_t)s->tree.nodes.count - 1);
    if (tree_turn(&s->tree)) return tree_prefix(&s->tree);
    close_node(s);
  }
  return NULL;
}

static void enter_new_steps(struct strategy *s, const struct execution *x) {
  for (uint32_t i = (uint32_t)s->past.steps.count; i < x->depth; i++)
    past_push(&s->past, x->steps[i].thread, x->trace, i ? x->ends[i - 1] : 0, x->ends[i]);
}

static bool is_bounded(const struct strategy *s) { return s->options.bound != UINT32_MAX; }

/* Preemptions on the way to the present state, which is behind the deepest node's step. */
static uint32_t preemptions_at(const struct strategy *s, const struct execution *x) {
  if (!is_bounded(s) || x->depth < 2) return 0;
  if (s->components.count == 0) return s->links.data[s->base_link].preemptions;
  const struct component *above = &vec_last(&s->components);
  uint32_t running = x->steps[x->depth - 2].thread;
  return above->preemptions + (running != x->steps[x->depth - 1].thread && tset_has(&above->enabled, running));
}

/* --- symbolic data --- */

/* What leads to the deepest node. */
static uint32_t link_to_node(struct strategy *s) {
  size_t i = s->components.count - 1;
  while (i > 0 && s->components.data[i].link == NO_LINK) i--;
  uint32_t link = i ? s->components.data[i].link : s->base_link;
  for (i++; i < s->components.count; i++) {
    struct component *c = &s->components.data[i];
    c->link = (uint32_t)s->links.count;
    *vec_push(&s->links) = (struct link){link, c->preemptions, s->tree.path.steps.data[s->base + i - 1]};
    link = c->link;
  }
  return link;
}

/* The last step was taken for the first time, or the tree begins behind it: its decisions leave inputs pending, with the way to it. */
static void note_decisions(struct strategy *s, const struct execution *x) {
  if (!execution_is_symbolic(x)) return;
  if (s->components.count == 0) {
    execution_leaves_pending(x, 0, s->base_link);
    return;
  }
  struct component *c = &vec_last(&s->components);
  if (execution_inputs(x) != c->inputs) c->left = true;
  if (execution_decisions(x) == c->decisions) return;
  uint32_t before = link_to_node(s), link = (uint32_t)s->links.count;
  *vec_push(&s->links) = (struct link){before, preemptions_at(s, x), vec_last(&s->tree.path.steps)};
  c = &vec_last(&s->components);
  if (execution_leaves_pending(x, c->decisions, link)) c->left = true;
}

void sweep_go_on(struct strategy *s, uint64_t tag) {
  struct schedule steps = {0};
  for (uint32_t l = (uint32_t)tag; l != NO_LINK; l = s->links.data[l].before) *vec_push(&steps.steps) = s->links.data[l].step;
  for (size_t i = 0, n = steps.steps.count; i < n / 2; i++) {
    struct step other = steps.steps.data[n - 1 - i];
    steps.steps.data[n - 1 - i] = steps.steps.data[i];
    steps.steps.data[i] = other;
  }
  past_pop(&s->past, 0);
  tree_clear(&s->tree);
  tree_begin_at(&s->tree, steps.steps.data, steps.steps.count);
  s->base = (uint32_t)steps.steps.count;
  s->base_link = (uint32_t)tag;
  vec_release(&steps.steps);
}

/* --- the next step --- */

/* Enters the present state. False: it was entered before. */
static bool enter_state(struct strategy *s, const struct execution *x, uint32_t preemptions) {
  struct fingerprint key = execution_is_symbolic(x) ? execution_live_state(x) : execution_fingerprint(x),
                     past = past_fingerprint(&s->past, x->alive);
  key.lo += past.lo + x->loops, key.hi += past.hi + x->loops;
  if (s->options.outcomes) key.lo += hash_mix(execution_output(x));
  if (is_bounded(s) && x->depth) key.lo += hash_pair(preemptions, x->steps[x->depth - 1].thread);
  uint32_t number = visited_find(&s->entered, key);
  if (number != NOT_VISITED) {
    come_back(s, number);
    return false;
  }
  number = s->numbers++;
  visited_add(&s->entered, key, number);
  *vec_push(&s->open) = number;
  *vec_push(&s->components) = (struct component){.number = number,
                                                 .low = number,
                                                 .preemptions = preemptions,
                                                 .enabled = *x->enabled,
                                                 .decisions = execution_decisions(x),
                                                 .inputs = execution_inputs(x),
                                                 .link = NO_LINK};
  return true;
}

/* No preemption more is allowed: the thread that runs goes on, if it can. */
static void stay(struct strategy *s, struct tree_node *n, const struct execution *x) {
  if (x->depth == 0 || !tset_has(x->enabled, x->steps[x->depth - 1].thread) || tset_empty(&n->left)) return;
  n->left = (struct tset){0};
  n->threads = 1;
  s->bound_hit = true;
}

static enum pick sweep_pick(struct strategy *s, const struct execution *x, struct step *step) {
  enter_new_steps(s, x);
  if (!s->tree.resumed) {
    note_decisions(s, x);
    uint32_t preemptions = preemptions_at(s, x);
    if (!enter_state(s, x, preemptions)) return PICK_GIVE_UP;
    struct tree_node *n = tree_enter(&s->tree, x);
    if (is_bounded(s) && preemptions == s->options.bound) stay(s, n, x);
  }
  *step = tree_take(&s->tree, x);
  return PICK_RETURN;
}

static void sweep_done(struct strategy *s, const struct execution *x, enum execution_end end, bool cut, bool given_up) {
  (void)end, (void)cut;
  enter_new_steps(s, x);
  if (!given_up) note_decisions(s, x);
  if (!given_up && s->components.count) vec_last(&s->components).left = true;
}

static bool sweep_again(const struct strategy *s) { return s->past.grown; }

/* An execution shows what its new steps are part of, wherever it ends. */
static bool sweep_suspects(const struct strategy *s) { return (void)s, true; }

static bool sweep_bounded(const struct strategy *s) { return s->bound_hit; }

static unsigned sweep_counters(const struct strategy *s, struct strategy_counter *out) {
  out[0] = (struct strategy_counter){.name = "states", .number = s->entered.count};
  out[1] = (struct strategy_counter){.name = "forgotten", .number = s->entered.forgotten};
  return 2;
}

static double sweep_progress(const struct strategy *s) { return tree_progress(&s->tree); }

const struct strategy_type strategy_sweep = {
    .name = "sweep",
    .summary = "every state once: where schedules have no end",
    .exhaustive = true,
    .bounds = true,
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
