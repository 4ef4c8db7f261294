/* The unfolding of a program, one maximal configuration an execution.
 *
 * Schemmel, Buening, Rodriguez, Laprell, Wehrle: "Symbolic partial-order execution for testing multi-threaded programs", CAV 2020 (with
 * Nguyen et al., "Quasi-optimal partial order reduction", CAV 2018). What it does and where it differs: docs/unfolding.md.
 *
 * The stack is the configuration C of the present execution, event by event; its nodes are the choices of the paper's binary tree: on the
 * left, what includes the event; on the right, what excludes it (`disabled`, the paper's D). Conflicting extensions of C come from the
 * races of history.h, each with the alternative that leads to it. */
#include <string.h>

#include "strategy/unfolding/unfolding.h"

static struct strategy *unfolding_create(const struct strategy_options *options) {
  struct strategy *s = mem_alloc(sizeof *s);
  history_init(&s->history);
  s->events.most = states_memory(options);
  cutoffs_init(&s->cutoffs, options);
  s->livelocks = !options->no_livelocks;
  s->order = options->order;
  s->seed = options->seed;
  return s;
}

void unfolding_pop_node(struct strategy *s) {
  struct node *n = &vec_last(&s->nodes);
  s->disabled.count = n->first_disabled;
  s->disabled_events.count = n->first_event;
  unfolding_release_node(n);
  s->nodes.count--;
  s->path.steps.count--;
}

static void unfolding_restart(struct strategy *s) {
  while (s->nodes.count) unfolding_pop_node(s);
  history_clear(&s->history);
  vec_clear(&s->names);
  vec_clear(&s->races);
  visited_clear(&s->events);
  cutoffs_clear(&s->cutoffs);
  s->cut_off = s->leaf = s->ready = s->lost = false;
  s->started = s->resumed = s->learnt = s->sections.grown = false;
  s->extensions = s->alternatives = s->repeated = 0;
  s->random = hash_mix(s->seed);
}

static void unfolding_destroy(struct strategy *s) {
  unfolding_restart(s);
  history_release(&s->history);
  sections_release(&s->sections);
  visited_release(&s->events);
  cutoffs_release(&s->cutoffs);
  vec_release(&s->path.steps);
  vec_release(&s->nodes);
  vec_release(&s->disabled);
  vec_release(&s->disabled_events);
  vec_release(&s->names);
  vec_release(&s->races);
  mem_free(s, sizeof *s);
}

/* --- the tree --- */

bool unfolding_take(struct strategy *s, size_t i) {
  struct node *n = &vec_last(&s->nodes);
  struct sequence q = n->todo.data[i];
  memmove(n->todo.data + i, n->todo.data + i + 1, (--n->todo.count - i) * sizeof q);
  uint32_t thread = q.steps.data[0].thread;
  if (!tset_has(&n->enabled, thread) || unfolding_is_repeated(s, n, &q)) {
    s->repeated++;
    sequence_release(&q);
    return false;
  }
  s->alternatives++;
  vec_last(&s->path.steps) = (struct step){thread, q.steps.data[0].choice};
  n->alternatives = 0; /* known when the state is reached again */
  n->excluded = n->ended = false;
  sequence_remove(&q, 0);
  sequence_release(&n->rest);
  n->rest = q;
  return true;
}

/* Gives the deepest node an alternative as its next step; false if it has none left. */
static bool take_alternative(struct strategy *s) {
  while (vec_last(&s->nodes).todo.count)
    if (unfolding_take(s, 0)) return true;
  return false;
}

static const struct schedule *unfolding_next(struct strategy *s) {
  if (s->started && !s->ready && !unfolding_choose(s)) return NULL;
  s->complete = s->cut_off = s->leaf = s->ready = s->lost = false;
  s->resumed = s->started;
  s->started = true;
  s->prefix = s->path;
  if (s->resumed) s->prefix.steps.count--;
  s->known = (uint32_t)s->prefix.steps.count;
  return &s->prefix;
}

/* What the node above would have been led to by alternatives to its step that do not exclude it. */
static void hand_down(struct strategy *s, struct node *n, struct step step, const struct event *events, uint32_t count) {
  struct node *parent = &vec_last(&s->nodes);
  if (parent->rest.steps.count) *vec_push(&n->todo) = parent->rest, parent->rest = (struct sequence){0};
  size_t kept = 0;
  for (size_t i = 0; i < parent->todo.count; i++) {
    struct sequence q = parent->todo.data[i];
    uint32_t at = sequence_find(&q, step.thread);
    bool own = at < q.steps.count, any = own && q.steps.data[at].choice == ANY_CHOICE;
    bool same = own && (any ? parent->alternatives == 1 : q.steps.data[at].choice == step.choice);
    if ((own && !same) || !sequence_commutes(&q, at, events, count)) {
      parent->todo.data[kept++] = q;
      continue;
    }
    if (own) sequence_remove(&q, at);
    if (q.steps.count)
      *vec_push(&n->todo) = q;
    else
      sequence_release(&q);
  }
  parent->todo.count = kept;
}

/* The thread to go on with at the deepest node: the running one if possible, for few context switches. */
static uint32_t free_thread(const struct strategy *s) {
  const struct node *n = &vec_last(&s->nodes);
  uint32_t t = s->nodes.count > 1 ? s->path.steps.data[s->nodes.count - 2].thread : 0;
  if (tset_has(&n->enabled, t) && !unfolding_fully_excluded(s, n, t)) return t;
  for (t = tset_next(&n->enabled, 0); t < THREADS_MAX; t = tset_next(&n->enabled, t + 1))
    if (!unfolding_fully_excluded(s, n, t)) return t;
  return THREADS_MAX;
}

/* The deepest node takes the step of some thread. False: all that could be taken is excluded. */
static bool take_any(struct strategy *s) {
  uint32_t t = free_thread(s);
  if (t == THREADS_MAX) return false;
  vec_last(&s->path.steps) = (struct step){.thread = t, .choice = ANY_CHOICE};
  vec_last(&s->nodes).alternatives = 0;
  vec_last(&s->nodes).excluded = false;
  sequence_release(&vec_last(&s->nodes).rest);
  vec_last(&s->nodes).rest = (struct sequence){0};
  return true;
}

/* Makes a node of the present state. False: all that could be taken is excluded. */
static bool enter(struct strategy *s, const struct execution *x) {
  struct node n = {
      .enabled = *x->enabled, .first_disabled = (uint32_t)s->disabled.count, .first_event = (uint32_t)s->disabled_events.count};
  if (s->nodes.count > 0) {
    uint32_t from = x->depth > 1 ? x->ends[x->depth - 2] : 0, count = x->ends[x->depth - 1] - from;
    const struct event *events = sections_complete(&s->sections, x->trace, from, &count);
    unfolding_inherit_excluded(s, &n, events, count);
    hand_down(s, &n, x->steps[x->depth - 1], events, count);
  }
  *vec_push(&s->nodes) = n;
  *vec_push(&s->path.steps) = (struct step){0};
  return take_alternative(s) || take_any(s);
}

/* Settles which alternative the deepest node's thread takes; the others are alternatives of the node. False: there is none. */
static bool settle_choice(struct strategy *s, const struct execution *x) {
  struct node *n = &vec_last(&s->nodes);
  struct step *step = &vec_last(&s->path.steps);
  if (n->alternatives) return true;
  n->alternatives = execution_alternatives(x, step->thread);
  if (step->choice == ANY_CHOICE)
    for (step->choice = 0; step->choice < n->alternatives && unfolding_is_excluded(s, n, step->thread, step->choice);) step->choice++;
  if (step->choice >= n->alternatives) return false;
  if (n->alternatives > 1) unfolding_be_careful(s);
  if (tset_has(&n->chosen, step->thread)) return true;
  tset_add(&n->chosen, step->thread);
  for (uint32_t c = 0; c < n->alternatives; c++) {
    if (c == step->choice) continue;
    struct sequence q = {0};
    sequence_add(&q, step->thread, c, NULL, 0);
    *vec_push(&n->todo) = q;
  }
  return true;
}

/* --- cutoffs --- */

/* The execution has ended at the deepest node, before the step that its thread may have taken there. */
static void end_at_leaf(struct strategy *s, const struct execution *x) {
  struct history *h = &s->history;
  s->complete = unfolding_only_cutoffs(s);
  unfolding_reverse_races(s);
  unfolding_reverse_cutoffs(s);
  struct tset blocked = *x->alive;
  tset_minus(&blocked, &vec_last(&s->nodes).enabled);
  uint32_t depth = (uint32_t)h->steps.count;
  for (uint32_t k = depth ? x->ends[depth - 1] : 0; depth < x->depth && k < x->ends[x->depth - 1]; k++)
    if (x->trace[k].op == EVENT_FORK && x->trace[k].object < THREADS_MAX) tset_put(&blocked, (uint32_t)x->trace[k].object, false);
  unfolding_reverse_blocked(s, x, &blocked);
  unfolding_drop_node(s);
}

/* The last step is a cutoff: something else comes in its place, or the execution ends before it. */
static void cut_off(struct strategy *s, const struct execution *x) {
  struct history *h = &s->history;
  struct node *n = &vec_last(&s->nodes);
  uint32_t depth = (uint32_t)h->steps.count - 1;
  unfolding_exclude_present(s, true);
  struct sequence rest = n->rest;
  n->rest = (struct sequence){0};
  const struct disabled *d = &vec_last(&s->disabled);
  sequence_leave_out(&rest, d->thread, unfolding_excluded_events(s, d), d->events);
  if (rest.steps.count)
    *vec_push(&n->todo) = rest;
  else
    sequence_release(&rest);
  s->ready = take_alternative(s) || (!n->explored && take_any(s));
  bool leaf = !s->ready && !n->explored;
  unfolding_settle_last_races(s, !leaf);
  history_pop(h, depth);
  s->names.count = depth;
  if (leaf)
    end_at_leaf(s, x);
  else if (!s->ready)
    unfolding_drop_node(s);
}

/* False: the last step is a cutoff, or it cannot be told any more. */
static bool enter_unless_cut_off(struct strategy *s, const struct execution *x) {
  if (x->depth == 0) {
    cutoffs_begin(&s->cutoffs, x);
    return true;
  }
  unfolding_enter_new_steps(s, x, false);
  enum cutoff cutoff = cutoffs_judge(&s->cutoffs, x, &s->history, &s->events, vec_last(&s->names));
  s->cut_off = cutoff == CUTOFF_YES, s->lost = cutoff == CUTOFF_LOST;
  return cutoff == CUTOFF_NO;
}

static enum pick unfolding_pick(struct strategy *s, const struct execution *x, struct step *step) {
  if (s->cutoffs.wanted && !s->resumed && !enter_unless_cut_off(s, x)) return PICK_GIVE_UP;
  bool possible = s->resumed || enter(s, x);
  s->resumed = false;
  while (possible && !settle_choice(s, x)) possible = take_alternative(s);
  if (!possible) {
    s->leaf = unfolding_has_cutoffs(s);
    if (!s->leaf) unfolding_drop_node(s);
    return PICK_GIVE_UP;
  }
  *step = vec_last(&s->path.steps);
  return x->depth % 4 == 0 && !s->cutoffs.wanted ? PICK_RETURN : PICK_STEP;
}

static void unfolding_done(struct strategy *s, const struct execution *x, enum execution_end end, bool cut, bool given_up) {
  (void)end;
  struct history *h = &s->history;
  s->interrupted |= execution_has_interrupts(x);
  if (s->lost) return; /* the exploration begins again, or ends */
  if (s->cut_off) return cut_off(s, x);
  if (s->leaf) return end_at_leaf(s, x);
  s->complete = !given_up && !cut;
  unfolding_enter_new_steps(s, x, cut);
  unfolding_reverse_races(s);
  if (x->depth == 0 || deadline_passed) return; /* it may not be complete: nobody goes on with it */
  struct tset blocked = *x->alive;
  tset_minus(&blocked, given_up ? x->enabled : cut ? &vec_last(&s->nodes).enabled : &(struct tset){0});
  if (cut) {
    struct tset others = *x->alive;
    tset_put(&others, x->steps[x->depth - 1].thread, false);
    if (!tset_empty(&others)) unfolding_be_careful(s);
    uint32_t begin = history_section(h, x->depth - 1);
    unfolding_go_on_without(s, x->depth - 1);
    if (begin < x->depth - 1) unfolding_go_on_without(s, begin);
    for (uint32_t i = begin; i < x->depth; i++) unfolding_ended(s, i);
  }
  unfolding_reverse_blocked(s, x, &blocked);
}

static bool unfolding_again(const struct strategy *s) { return s->sections.grown || s->learnt || s->cutoffs.past.grown; }

/* What a cutoff ends may be an execution's only one that has it. */
static bool unfolding_suspects(const struct strategy *s) { return s->cutoffs.wanted && !s->lost; }

static bool unfolding_bounded(const struct strategy *s) {
  (void)s;
  return false;
}

/* With cutoffs, no execution comes back to a state; without any, every execution has an end. Where a handler runs, or a thread is
 * cancelled, is a choice of the interrupted thread's step, and there is such a choice only behind the signal. Alternatives that move such
 * steps are not all found. */
static const char *unfolding_limit(const struct strategy *s, unsigned i) {
  bool blind = s->cutoffs.any && s->livelocks;
  if (blind && i == 0) return "with --cutoffs, livelocks cannot be seen";
  if (i > blind || !s->interrupted) return NULL;
  return "the strategy unfolding does not find all orders of signal handlers and asynchronous cancellations: dpor and maximal do";
}

static unsigned unfolding_counters(const struct strategy *s, struct strategy_counter *out) {
  out[0] = (struct strategy_counter){.name = "events", .number = s->events.count + s->events.forgotten};
  out[1] = (struct strategy_counter){.name = "extensions", .number = s->extensions};
  out[2] = (struct strategy_counter){.name = "alternatives", .number = s->alternatives};
  out[3] = (struct strategy_counter){.name = "repeated", .number = s->repeated};
  if (!s->cutoffs.wanted) return 4;
  out[4] = (struct strategy_counter){.name = "cutoffs", .number = s->cutoffs.number};
  return 5;
}

const struct strategy_type strategy_unfolding = {
    .name = "unfolding",
    .summary = "the program's unfolding: exhaustive, one execution a maximal configuration, led there by alternatives",
    .exhaustive = true,
    .create = unfolding_create,
    .destroy = unfolding_destroy,
    .restart = unfolding_restart,
    .next = unfolding_next,
    .pick = unfolding_pick,
    .done = unfolding_done,
    .again = unfolding_again,
    .suspects = unfolding_suspects,
    .bounded = unfolding_bounded,
    .limit = unfolding_limit,
    .counters = unfolding_counters,
};
