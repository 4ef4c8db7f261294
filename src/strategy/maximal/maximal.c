/* Depth-first exploration that enters no state twice, with dynamic partial-order reduction.
 *
 * After Yang, Chen, Gopalakrishnan, Kirby: "Efficient stateful dynamic partial order reduction", SPIN 2008. A state is closed once all that
 * has to be explored below it was. An execution that comes to a closed state is given up; the races between its steps and what
 * happens below that state are found from the state's summary. docs/maximal.md has the proof that nothing is lost; in short:
 *
 *   The threads explored from a state are to be a source set: each maximal execution from there has an equivalent one that begins with one
 *   of them. Let w be one that has none, t an explored step, and e (of thread q) the first step of w that depends on t. Below t the
 *   steps before e were explored, and e executed or found pending; on the stack, or below a closed state that the execution came to. In
 *   both cases add_backtrack() was called for t and q: it sees to it that a step is explored at t's state that begins what q did since
 *   (which begins w, too), or q itself, or everything. If it is q, then q's first step in w depends on an earlier step of w than t did. So
 *   taking that step for t, and so on, comes to the beginning of w: a contradiction.
 *
 * What matters of the past besides the state is part of the table's key: past.h. */
#include "strategy/maximal/maximal.h"

#include <unistd.h>

/* Steps between two states that the machine is asked to keep, to go back to. Keeping one costs about as much as executing that many. */
#define RETURN_EVERY 4u
/* States that are to equal no other are numbered (past.h): worker w begins at w << 40, and none comes to 2^40 of them. */
#define UNLIKE_WORKER_SHIFT 40u

static uint64_t physical_memory(void) { return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE); }

size_t states_memory(const struct strategy_options *options) { return options->memory ? options->memory : physical_memory() / 4; }

static struct strategy *maximal_create(const struct strategy_options *options) {
  struct strategy *s = mem_alloc(sizeof *s);
  s->options = *options;
  s->past.no_races = options->no_races;
  s->memory.most = states_memory(options) / 2;
  s->memory.visited.most = s->memory.most;
  history_init(&s->history);
  for (uint32_t t = 0; t < THREADS_MAX; t++) s->search.parents[t] = (uint8_t)t;
  return s;
}

/* Back to the beginning. */
static void clear_search(struct strategy *s) {
  past_clear(&s->past);
  history_clear(&s->history);
  vec_clear(&s->search.nodes);
  vec_clear(&s->search.made);
  vec_clear(&s->sleeping.sleepers);
  vec_clear(&s->sleeping.events);
  vec_clear(&s->search.path.steps);
  s->search.started = s->search.resumed = s->sections.grown = s->past.grown = false;
}

static void maximal_restart(struct strategy *s) {
  clear_search(s);
  summaries_clear(&s->memory.summaries);
  visited_clear(&s->memory.visited);
  s->memory.visited.forgotten = 0;
  commons_view_release(&s->sharing.view);
  s->sharing.view = (struct commons_view){0};
}

static void maximal_destroy(struct strategy *s) {
  past_release(&s->past);
  history_release(&s->history);
  sections_release(&s->sections);
  summaries_release(&s->memory.summaries);
  vec_release(&s->sleeping.affected.words);
  visited_release(&s->memory.visited);
  commons_view_release(&s->sharing.view);
  vec_release(&s->search.nodes);
  open_nodes_release(&s->search.open);
  vec_release(&s->search.made);
  vec_release(&s->sleeping.sleepers);
  vec_release(&s->sleeping.events);
  vec_release(&s->search.path.steps);
  mem_free(s, sizeof *s);
}

/* --- memory --- */

static void each_summary(void *owner, summaries_visit *visit) {
  struct strategy *s = owner;
  for (size_t i = 0; i < s->search.nodes.count; i++) visit(&s->memory.summaries, &s->search.nodes.data[i].summary);
  for (size_t i = 0; i < s->search.made.count; i++) visit(&s->memory.summaries, &s->search.made.data[i]);
  for (size_t i = 0; i < s->sleeping.sleepers.count; i++) visit(&s->memory.summaries, &s->sleeping.sleepers.data[i].own);
  for (size_t i = 0; i < s->sleeping.sleepers.count; i++) visit(&s->memory.summaries, &s->sleeping.sleepers.data[i].below);
  for (size_t i = 0; i < s->memory.visited.cap; i++)
    visit(&s->memory.summaries, &s->memory.visited.summaries[i]); /* free places have the empty one */
  visit(&s->memory.summaries, &s->search.below);
}

/* Summaries have grown too large: those that no state has are thrown out, and all closed states are forgotten if these do not help. */
static void save_memory(struct strategy *s) {
  commons_view_sweep(&s->sharing.view);
  summaries_sweep(&s->memory.summaries, each_summary, s);
  if (summaries_size(&s->memory.summaries) <= s->memory.most / 2) return;
  visited_clear(&s->memory.visited);
  summaries_sweep(&s->memory.summaries, each_summary, s);
}

static const struct schedule *maximal_next(struct strategy *s) {
  if (s->search.started && !advance_search(s)) return NULL;
  if (summaries_size(&s->memory.summaries) > s->memory.most) save_memory(s);
  s->search.resumed = s->search.started;
  s->search.started = true;
  s->past.knowledge.raced = s->past.news = s->sections.news = false;
  vec_clear(&s->past.knowledge.racers.fresh);
  s->search.prefix = s->search.path;
  if (s->search.resumed) s->search.prefix.steps.count--;
  return &s->search.prefix;
}

/* --- following an execution --- */

/* Was the thread parked in this step? */
static bool parks_in_step(const struct execution *x, uint32_t step) {
  uint32_t thread = x->steps[step].thread;
  if (!tset_has(execution_parked(x), thread)) return false;
  while (++step < x->depth && x->steps[step].thread != thread) continue;
  return step == x->depth;
}

/* Enters whom step i makes. */
static void note_children(struct strategy *s, const struct execution *x, uint32_t i) {
  for (uint32_t k = i ? x->ends[i - 1] : 0; k < x->ends[i]; k++) {
    if (x->trace[k].op == EVENT_FORK && x->trace[k].object < THREADS_MAX)
      s->search.parents[x->trace[k].object] = (uint8_t)x->steps[i].thread;
  }
}

/* Enters the steps that are not known yet and reverses their races. `ends`: the last one ended the execution for everybody. */
static void enter_new_steps(struct strategy *s, const struct execution *x, bool ends) {
  static const struct event nothing = {.op = EVENT_NONE}; /* a step may end the execution before it does anything */
  struct history *h = &s->history;
  for (uint32_t i = (uint32_t)h->steps.count; i < x->depth; i++) {
    uint32_t from = i ? x->ends[i - 1] : 0, t = x->steps[i].thread, count = x->ends[i] - from, previous = history_previous(h, t);
    past_push(&s->past, t, x->trace, from, x->ends[i]);
    note_children(s, x, i);
    if (parks_in_step(x, i)) past_stop(&s->past, t);
    const struct event *events = count ? sections_complete(&s->sections, x->trace, from, &count) : NULL;
    struct event none = nothing;
    none.thread = t;
    if (!events) events = &none, count = 1;
    bool last = ends && i + 1 == x->depth;
    const struct event *look = history_look(events, count);
    if (look) {
      history_blocked(h, look);
      reverse_races(s, t, previous, 0);
    }
    history_push(h, t, x->steps[i].choice, events, count, &s->search.nodes.data[i].enabled, false);
    reverse_races(s, t, previous, 0);
    if (last) { /* it comes behind all others, but what its thread would do next does not */
      history_find_below(h, &(struct history_below){.root = t});
      reverse_races(s, t, previous, 0);
    }
    *vec_push(&s->search.made) = summary_of_step(&s->memory.summaries, events, count, last);
  }
}

/* The thread to begin with at a new node. One that sleeps costs nothing; else the running one, for few context switches. */
static uint32_t first_thread(const struct strategy *s, const struct node *n, const struct execution *x) {
  for (uint32_t i = 0; i < n->sleepers; i++) {
    uint32_t t = s->sleeping.sleepers.data[n->first_sleeper + i].thread;
    if (tset_has(x->enabled, t) && is_asleep(s, n, t)) return t;
  }
  uint32_t t = x->depth > 0 ? x->steps[x->depth - 1].thread : 0;
  return tset_has(x->enabled, t) ? t : tset_next(x->enabled, 0);
}

/* Enters the agents that threads wait for. */
static void note_awaited(struct strategy *s, struct node *n, const struct execution *x) {
  if (execution_options(x)->memory == MEMORY_SC) return;
  for (uint32_t a = tset_next(x->enabled, AGENTS_FROM); a < THREADS_MAX; a = tset_next(x->enabled, a + 1)) {
    uint32_t owner = execution_owner(x, a);
    s->search.parents[a] = (uint8_t)owner;
    if (!tset_has(x->enabled, owner) && event_drains(execution_pending(x, owner))) tset_add(&n->awaited, a);
  }
}

static struct fingerprint key_of(struct strategy *s, const struct execution *x) {
  struct fingerprint key = execution_fingerprint(x), past;
  past = past_fingerprint(&s->past, x->alive);
  key.lo += past.lo + x->loops, key.hi += past.hi + hash_mix(x->loops);
  if (s->options.outcomes) key.lo += hash_mix(execution_output(x)), key.hi += execution_output(x);
  return key;
}

/* The summary of the present state, a new node's, and its key; or NOT_VISITED. */
static uint32_t closed_here(struct strategy *s, const struct execution *x, struct fingerprint *key) {
  uint32_t summary;
  exchange_accesses(s);
  do {
    *key = key_of(s, x);
    summary = closed_summary(s, *key);
  } while (summary != NOT_VISITED && exchange_accesses(s)); /* there are accesses below that were not known when the key was made */
  return summary;
}

/* The present state is a new one. */
static void push_node(struct strategy *s, const struct execution *x, struct fingerprint key) {
  struct node *n = vec_push(&s->search.nodes);
  *n = (struct node){.key = key, .enabled = *x->enabled, .version = s->past.knowledge.racers.version, .since = s->sharing.executions};
  note_awaited(s, n, x);
  inherit_sleepers(s, n, x);
  uint32_t first = first_thread(s, n, x);
  tset_add(&n->backtrack, first);
  if (!is_asleep(s, n, first)) take_hints(s, n);
  note_open_node(s);
}

static enum pick maximal_pick(struct strategy *s, const struct execution *x, struct step *step) {
  if (!s->search.resumed) {
    enter_new_steps(s, x, false);
    struct fingerprint key;
    uint32_t summary = closed_here(s, x, &key);
    if (summary != NOT_VISITED) {
      s->search.below = summary, s->search.below_open = s->search.covered = false;
      return PICK_GIVE_UP;
    }
    push_node(s, x, key);
    *vec_push(&s->search.path.steps) = (struct step){0};
    if (!next_thread(s)) {
      close_node(s);
      s->search.covered = true;
      return PICK_GIVE_UP;
    }
  }
  struct node *n = &vec_last(&s->search.nodes);
  *step = vec_last(&s->search.path.steps);
  if (n->alternatives == 0) n->alternatives = execution_alternatives(x, step->thread);
  s->search.resumed = false;
  return x->depth % RETURN_EVERY == 0 ? PICK_RETURN : PICK_STEP;
}

/* The last step ended the execution for everybody: sees to what the others could have done instead, also of the section it is in. */
static void go_on_without(struct strategy *s, const struct execution *x) {
  uint32_t last = x->depth - 1, begin = history_section(&s->history, last);
  tset_union(&s->search.nodes.data[last].backtrack, &s->search.nodes.data[last].enabled);
  tset_union(&s->search.nodes.data[begin].backtrack, &s->search.nodes.data[begin].enabled);
  for (uint32_t i = begin; i <= last; i++) s->search.nodes.data[i].ended = true;
}

static void reverse_one_pending(struct strategy *s, const struct event *pending) {
  s->search.below = summary_union(&s->memory.summaries, s->search.below, summary_of_step(&s->memory.summaries, pending, 1, false));
  history_blocked(&s->history, pending);
  reverse_races(s, pending->thread, history_previous(&s->history, pending->thread), 0);
}

/* What the threads that are left would do next: they are blocked, or the execution ended. */
static void reverse_pending(struct strategy *s, const struct execution *x) {
  for (uint32_t t = tset_next(x->alive, 0); t < THREADS_MAX; t = tset_next(x->alive, t + 1)) {
    const struct event *pending = execution_pending(x, t), *interruptible = execution_interruptible(x, t);
    if (pending->op != EVENT_NONE) reverse_one_pending(s, pending); /* else it is parked */
    if (interruptible) reverse_one_pending(s, interruptible);
  }
}

/* A thread that runs alone goes round in a circle: what is below its states is not known before the first of them is closed. That one can
 * be: whatever can be reached from the others is reached below it. */
static void leave_circle_open(struct strategy *s, const struct execution *x) {
  uint32_t thread = x->steps[x->depth - 1].thread;
  for (uint32_t i = x->depth - 1; i > 0 && x->steps[i].thread == thread && x->steps[i - 1].thread == thread; i--)
    s->search.nodes.data[i].open = true;
  s->search.below_open = true;
}

static void maximal_done(struct strategy *s, const struct execution *x, enum execution_end end, bool cut, bool given_up) {
  s->sharing.executions++;
  enter_new_steps(s, x, cut);
  exchange_accesses(s);
  if (given_up) {
    if (!s->search.covered) reverse_summary(s, s->search.below);
    return;
  }
  s->search.below = 0, s->search.below_open = false;
  if (x->depth == 0) return;
  if (cut) go_on_without(s, x);
  if (end == EXECUTION_CIRCLE) leave_circle_open(s, x);
  reverse_pending(s, x);
}

static bool maximal_again(const struct strategy *s) { return s->sections.grown || s->past.grown; }

static bool maximal_suspects(const struct strategy *s) { return s->past.knowledge.raced; }

static bool maximal_bounded(const struct strategy *s) {
  (void)s;
  return false;
}

/* --- with others --- */

static void maximal_join(struct strategy *s, struct commons *commons, uint32_t worker, uint32_t workers) {
  const struct visited *v = &s->memory.visited;
  s->sharing.view.commons = commons;
  s->sharing.worker = worker;
  s->memory.most = states_memory(&s->options) / 2 / workers;
  s->past.unlike += (uint64_t)worker << UNLIKE_WORKER_SHIFT;
  for (size_t i = 0; i < v->cap; i++) {
    if (v->keys[i].lo | v->keys[i].hi) commons_add(&s->sharing.view, &s->memory.summaries, v->keys[i], v->summaries[i]);
  }
  visited_release(&s->memory.visited);
  clear_search(s);
}

static bool maximal_news(const struct strategy *s) { return s->past.news || s->sections.news; }

static void maximal_observe(struct strategy *s, const struct execution *x) {
  for (uint32_t i = 0; i < x->depth; i++) {
    uint32_t from = i ? x->ends[i - 1] : 0, count = x->ends[i] - from;
    past_push(&s->past, x->steps[i].thread, x->trace, from, x->ends[i]);
    if (count) sections_complete(&s->sections, x->trace, from, &count);
    note_children(s, x, i);
    if (parks_in_step(x, i)) past_stop(&s->past, x->steps[i].thread);
  }
  past_clear(&s->past);
  vec_clear(&s->past.knowledge.racers.fresh);
}

static unsigned maximal_counters(const struct strategy *s, struct strategy_counter *out) {
  const struct commons *c = s->sharing.view.commons;
  out[0] = (struct strategy_counter){.name = "states", .number = c ? commons_states(c) : s->memory.visited.count};
  out[1] = (struct strategy_counter){.name = "forgotten", .number = c ? commons_forgotten(c) : s->memory.visited.forgotten};
  return 2;
}

static double maximal_progress(const struct strategy *s) {
  struct tree_share p = {.width = 1};
  for (size_t i = 0; i < s->search.nodes.count; i++) {
    const struct node *n = &s->search.nodes.data[i];
    tree_share_descend(&p, tset_count(&n->backtrack), tset_count(&n->done), n->alternatives, s->search.path.steps.data[i].choice);
  }
  return p.done;
}

const struct strategy_type strategy_maximal = {
    .name = "maximal",
    .summary = "partial-order reduction that enters no state twice: exhaustive",
    .exhaustive = true,
    .in_common = true,
    .parks = true,
    .given_up = "led to a state already explored",
    .create = maximal_create,
    .destroy = maximal_destroy,
    .restart = maximal_restart,
    .next = maximal_next,
    .pick = maximal_pick,
    .done = maximal_done,
    .again = maximal_again,
    .suspects = maximal_suspects,
    .join = maximal_join,
    .news = maximal_news,
    .observe = maximal_observe,
    .bounded = maximal_bounded,
    .counters = maximal_counters,
    .progress = maximal_progress,
};
