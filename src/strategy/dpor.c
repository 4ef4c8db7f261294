/* Source-set dynamic partial-order reduction with sleep sets: one complete execution a Mazurkiewicz trace.
 *
 * Abdulla, Aronis, Jonsson, Sagonas: "Optimal dynamic partial order reduction", POPL 2014, Algorithm 1; "Source sets: a foundation for
 * optimal dynamic partial order reduction", JACM 2017. Differences from the paper's pseudo-code:
 *   - Races are looked for when an execution ends, in its new part, and also between its steps and the operations that blocked threads
 *     wait in: a lock's acquire races with the acquire of the section that blocked it.
 *   - A step has alternatives. All of them are explored where the thread is explored; sleep sets hold single alternatives, with the
 *     events they made, so that dependence is that of executed events (a failed compare-exchange is a read).
 *   - A step that ends the execution (exit, a failure) depends on every other step.
 *   - No backtracking point is added if an initial of the reversed sequence sleeps: it was explored before.
 * With a bound on preemptions see bounded.c. */
#include "strategy/dpor.h"

#include "base/deadline.h"

#include <string.h>

static struct strategy *dpor_create(const struct strategy_options *options) {
  struct strategy *s = mem_alloc(sizeof *s);
  s->options = *options;
  s->limited = options->bound != UINT32_MAX;
  history_init(&s->history);
  return s;
}

static void dpor_restart(struct strategy *s) {
  history_clear(&s->history);
  vec_clear(&s->nodes);
  vec_clear(&s->path.steps);
  vec_clear(&s->sleepers);
  vec_clear(&s->sleep_events);
  vec_clear(&s->requests);
  s->started = s->resumed = s->handed = s->bound_hit = s->sections.grown = false;
  s->floor = s->known = 0;
}

static void dpor_destroy(struct strategy *s) {
  history_release(&s->history);
  sections_release(&s->sections);
  vec_release(&s->nodes);
  vec_release(&s->path.steps);
  vec_release(&s->sleepers);
  vec_release(&s->sleep_events);
  vec_release(&s->requests);
  mem_free(s, sizeof *s);
}

static bool asleep(const struct strategy *s, const struct dpor_node *n, uint32_t thread, uint32_t choice) {
  for (uint32_t i = 0; i < n->sleepers; i++) {
    const struct sleeper *z = &s->sleepers.data[n->first_sleeper + i];
    if (z->thread == thread && z->choice == choice) return true;
  }
  return false;
}

/* All alternatives of the thread's step. */
static bool fully_asleep(const struct strategy *s, const struct dpor_node *n, uint32_t thread) {
  uint32_t found = 0, all = 1;
  for (uint32_t i = 0; i < n->sleepers; i++) {
    const struct sleeper *z = &s->sleepers.data[n->first_sleeper + i];
    if (z->thread == thread) found++, all = z->alternatives;
  }
  return found >= all;
}

/* The sleepers that a new node inherits: those independent of the step that led to it. */
static void inherit(struct strategy *s, struct dpor_node *n, const struct execution *x) {
  const struct dpor_node *parent = &vec_last(&s->nodes);
  if (parent->sleepers == 0) return;
  uint32_t from = x->depth > 1 ? x->ends[x->depth - 2] : 0, count = x->ends[x->depth - 1] - from;
  const struct event *events = sections_complete(&s->sections, x->trace, from, &count);
  for (uint32_t i = 0; i < parent->sleepers; i++) {
    struct sleeper z = s->sleepers.data[parent->first_sleeper + i];
    if (history_wakes(&s->sleep_events.data[z.event], z.events, events, count)) continue;
    *vec_push(&s->sleepers) = z;
    n->sleepers++;
  }
}

/* The step of the deepest node has been explored completely: it sleeps from now on. */
static void put_to_sleep(struct strategy *s) {
  const struct history *h = &s->history;
  const struct history_step *e = &vec_last(&h->steps);
  struct dpor_node *n = &vec_last(&s->nodes);
  uint32_t count = (uint32_t)h->events.count - e->first_event;
  *vec_push(&s->sleepers) = (struct sleeper){e->thread, e->choice, n->alternatives, (uint32_t)s->sleep_events.count, count};
  memcpy(vec_push_n(&s->sleep_events, count), &h->events.data[e->first_event], count * sizeof(struct event));
  n->sleepers++;
}

/* Gives the deepest node its next step to explore; false if it has none left. */
static bool advance_node(struct strategy *s) {
  struct dpor_node *n = &vec_last(&s->nodes);
  struct step *step = &vec_last(&s->path.steps);
  while (++step->choice < n->alternatives) {
    if (s->limited || !asleep(s, n, step->thread, step->choice)) return true;
  }
  tset_add(&n->done, step->thread);
  struct tset left = n->backtrack;
  tset_minus(&left, &n->done);
  for (uint32_t t = tset_next(&left, 0); t < THREADS_MAX; t = tset_next(&left, t + 1)) {
    if (!s->limited && fully_asleep(s, n, t)) {
      tset_add(&n->done, t);
      continue;
    }
    *step = (struct step){.thread = t};
    n->alternatives = 0; /* known when the state is reached again */
    return true;
  }
  return false;
}

static bool advance(struct strategy *s) {
  while (s->nodes.count > s->floor) {
    uint32_t i = (uint32_t)s->nodes.count - 1;
    if (!s->limited && !vec_last(&s->nodes).ended) put_to_sleep(s);
    vec_last(&s->nodes).ended = false;
    history_pop(&s->history, i);
    if (advance_node(s)) return true;
    const struct dpor_node *n = &s->nodes.data[i];
    s->sleepers.count = n->first_sleeper;
    s->sleep_events.count = n->first_sleep_event;
    s->nodes.count = s->path.steps.count = i;
  }
  return false;
}

static const struct schedule *dpor_next(struct strategy *s) {
  if (s->started && !s->handed && !advance(s)) return NULL;
  s->resumed = s->started;
  s->started = true;
  s->handed = false;
  s->prefix = s->path;
  if (s->resumed) s->prefix.steps.count--;
  return &s->prefix;
}

/* The thread to go on with at a new node: the running one if possible, for few context switches. */
static uint32_t first_thread(const struct strategy *s, const struct dpor_node *n, const struct execution *x) {
  uint32_t t = x->depth > 0 ? x->steps[x->depth - 1].thread : 0;
  if (tset_has(x->enabled, t) && (n->sleepers == 0 || !fully_asleep(s, n, t))) return t;
  for (t = tset_next(x->enabled, 0); t < THREADS_MAX; t = tset_next(x->enabled, t + 1)) {
    if (n->sleepers == 0 || !fully_asleep(s, n, t)) return t;
  }
  return THREADS_MAX;
}

/* Fills in the alternatives of the deepest node's thread and moves on to the first that does not sleep. */
static void settle_choice(struct strategy *s, const struct execution *x) {
  struct dpor_node *n = &vec_last(&s->nodes);
  struct step *step = &vec_last(&s->path.steps);
  if (n->alternatives == 0) {
    n->alternatives = execution_alternatives(x, step->thread);
    while (n->sleepers > 0 && step->choice + 1 < n->alternatives && asleep(s, n, step->thread, step->choice)) step->choice++;
  }
}

static enum pick dpor_pick(struct strategy *s, const struct execution *x, struct step *step) {
  if (!s->resumed) {
    struct dpor_node n = {.first_sleeper = (uint32_t)s->sleepers.count, .first_sleep_event = (uint32_t)s->sleep_events.count};
    if (s->nodes.count > 0) inherit(s, &n, x);
    uint32_t t = first_thread(s, &n, x);
    if (t == THREADS_MAX) {
      s->sleepers.count = n.first_sleeper;
      return PICK_GIVE_UP;
    }
    tset_add(&n.backtrack, t);
    if (s->limited) bounded_enter(s, &n, x);
    *vec_push(&s->nodes) = n;
    *vec_push(&s->path.steps) = (struct step){.thread = t};
  }
  settle_choice(s, x);
  s->resumed = false;
  *step = vec_last(&s->path.steps);
  vec_last(&s->nodes).enabled = *x->enabled;
  /* Where depth-first search comes back to is not known yet; mostly near the end. */
  return x->depth % 4 == 0 ? PICK_RETURN : PICK_STEP;
}

/* --- reversing races: v = notdep(e).e', and its initials (Definition 3.2: threads that can begin an equivalent of v) --- */

/* The operation to be moved before step `node`: that of step `step` (== history.steps.count when it is pending and blocked). */
struct mover {
  uint32_t node, step, thread, previous;
  const struct event *first; /* its first event */
  bool blocked;
};

struct initials {
  struct tset seen;
  uint32_t first[THREADS_MAX]; /* index of each seen thread's first step in v */
  struct tset begin;           /* the initials */
  uint32_t pick;               /* one that could be added, or THREADS_MAX */
};

static bool begins(const struct initials *v, const uint32_t *clock, uint32_t thread) {
  for (uint32_t u = tset_next(&v->seen, 0); u < THREADS_MAX; u = tset_next(&v->seen, u + 1)) {
    if (u != thread && clock[u] >= v->first[u]) return false;
  }
  return true;
}

static bool left_out(const struct history *h, uint32_t d, uint32_t j) {
  if (history_before(h, d, j)) return true;
  for (size_t i = 0; i < h->excluded.count; i++) {
    if (history_before(h, h->excluded.data[i], j)) return true;
  }
  return false;
}

/* The mover's own clock in v: what it depends on there. */
static const uint32_t *mover_clock(struct strategy *s, const struct mover *m, uint32_t *clock) {
  const struct history *h = &s->history;
  const uint32_t *own = m->previous == NO_STEP ? NULL : &h->clocks.data[(size_t)m->previous * h->width];
  for (uint32_t t = 0; t < h->width; t++) clock[t] = own ? own[t] : 0;
  for (size_t i = 0; i < h->enablers.count; i++) {
    const uint32_t *enabler = &h->clocks.data[(size_t)h->enablers.data[i] * h->width];
    for (uint32_t t = 0; t < h->width; t++) clock[t] = clock[t] > enabler[t] ? clock[t] : enabler[t];
  }
  for (size_t i = 0; i < h->dependent.count; i++) {
    uint32_t j = h->dependent.data[i].step;
    if (j <= m->node || left_out(h, m->node, j)) continue;
    const uint32_t *other = &h->clocks.data[(size_t)j * h->width];
    for (uint32_t t = 0; t < h->width; t++) clock[t] = clock[t] > other[t] ? clock[t] : other[t];
  }
  return clock;
}

/* Would what the mover does first at the node, which is known as it sleeps there, be independent of the rest of v? Where it stands it may
 * do something else: a compare-exchange that fails is a read, an atomic section takes another way. */
static bool sleeper_begins(const struct strategy *s, const struct mover *m) {
  const struct history *h = &s->history;
  const struct dpor_node *n = &s->nodes.data[m->node];
  for (uint32_t i = 0; i < n->sleepers; i++) {
    const struct sleeper *z = &s->sleepers.data[n->first_sleeper + i];
    if (z->thread != m->thread) continue;
    for (uint32_t j = m->node + 1; j < m->step; j++) {
      const struct history_step *e = &h->steps.data[j];
      uint32_t end = j + 1 < h->steps.count ? h->steps.data[j + 1].first_event : (uint32_t)h->events.count;
      if (left_out(h, m->node, j)) continue;
      if (history_wakes(&s->sleep_events.data[z->event], z->events, &h->events.data[e->first_event], end - e->first_event)) return false;
    }
  }
  return true;
}

/* Has the threads explored at the node. */
static void explore_there(struct strategy *s, uint32_t node, const struct tset *threads, const struct tset *unless) {
  tset_union(&s->nodes.data[node].backtrack, threads);
  if (node < s->floor) *vec_push(&s->requests) = (struct dpor_request){.node = node, .unless = *unless, .add = *threads};
}

/* Sees to it that some initial of v is explored at the node. `h->excluded` is set. */
static void reverse(struct strategy *s, const struct mover *m) {
  const struct history *h = &s->history;
  struct dpor_node *n = &s->nodes.data[m->node];
  struct initials v = {.pick = THREADS_MAX};
  for (uint32_t j = m->node + 1; j < m->step; j++) {
    const struct history_step *e = &h->steps.data[j];
    if (tset_has(&v.seen, e->thread) || left_out(h, m->node, j)) continue;
    if (begins(&v, &h->clocks.data[(size_t)j * h->width], e->thread)) {
      if (tset_has(&n->backtrack, e->thread) || asleep(s, n, e->thread, e->choice)) return;
      tset_add(&v.begin, e->thread);
      if (v.pick == THREADS_MAX && tset_has(&n->enabled, e->thread)) v.pick = e->thread;
    }
    tset_add(&v.seen, e->thread);
    v.first[e->thread] = e->index;
  }
  uint32_t clock[THREADS_MAX];
  if (!tset_has(&v.seen, m->thread) && begins(&v, mover_clock(s, m, clock), m->thread)) {
    bool sleeps = n->sleepers && fully_asleep(s, n, m->thread);
    if (sleeps ? sleeper_begins(s, m) : tset_has(&n->backtrack, m->thread)) return;
    tset_put(&v.begin, m->thread, !sleeps);
    if (!sleeps && tset_has(&n->enabled, m->thread)) v.pick = m->thread;
  }
  if (v.pick == THREADS_MAX) return;
  struct tset add = {0};
  tset_add(&add, v.pick);
  explore_there(s, m->node, &add, &v.begin);
}

static void reverse_at(struct strategy *s, struct mover *m, uint32_t node, bool ends) {
  struct history *h = &s->history;
  m->node = node;
  vec_clear(&h->excluded);
  const struct history_step *e = &h->steps.data[node];
  bool waits = m->blocked || m->first->op == EVENT_ACQUIRE || m->first->op == EVENT_WAIT_LEAVE;
  if (waits) history_reversal(h, node, ends ? NULL : &h->events.data[e->first_event], m->first, h->since, m->blocked);
  reverse(s, m);
}

static void reverse_races(struct strategy *s, struct mover *m, bool ends) {
  struct history *h = &s->history;
  for (size_t i = 0; s->limited && i < h->dependent.count; i++) {
    uint32_t step = h->dependent.data[i].step, begin = history_section(h, step);
    bounded_reverse(s, step, m->thread);
    if (begin != step) bounded_reverse(s, begin, m->thread);
  }
  for (size_t i = 0; !s->limited && i < h->races.count && !deadline_passed; i++) {
    uint32_t step = h->races.data[i], begin = history_section(h, step);
    reverse_at(s, m, step, ends);
    if (begin != step) reverse_at(s, m, begin, ends);
  }
}

/* What a thread is about to do before step `depth`. */
static void reverse_pending(struct strategy *s, uint32_t depth, const struct event *pending) {
  struct mover m = {.step = depth, .thread = pending->thread, .first = pending, .blocked = true};
  m.previous = history_previous(&s->history, pending->thread);
  history_blocked(&s->history, pending);
  reverse_races(s, &m, false);
}

/* Enters the steps behind the known part of the execution and reverses their races. */
static void enter_new_steps(struct strategy *s, const struct execution *x, bool cut) {
  static const struct event nothing = {.op = EVENT_NONE}; /* a step may end the execution before it does anything */
  struct history *h = &s->history;
  for (uint32_t i = (uint32_t)h->steps.count; i < x->depth && !deadline_passed; i++) {
    uint32_t from = i ? x->ends[i - 1] : 0, t = x->steps[i].thread;
    uint32_t count = x->ends[i] - from;
    const struct event *events = count ? sections_complete(&s->sections, x->trace, from, &count) : &nothing;
    struct mover m = {.step = i, .thread = t, .previous = history_previous(h, t), .first = events};
    bool ends = cut && i + 1 == x->depth;
    const struct event *look = i >= s->known ? history_look(events, count) : NULL;
    if (look) reverse_pending(s, i, look);
    history_push(h, t, x->steps[i].choice, events, count ? count : 1, &s->nodes.data[i].enabled, ends);
    if (i >= s->known) reverse_races(s, &m, ends);
  }
  s->known = 0;
}

/* The last step ended the execution for everybody: sees to what the others could have done instead of the step at `node`. */
static void go_on_without(struct strategy *s, uint32_t node) {
  struct dpor_node *n = &s->nodes.data[node];
  struct tset others = n->enabled;
  if (!s->limited) {
    explore_there(s, node, &others, &(struct tset){0});
    return;
  }
  for (uint32_t t = tset_next(&others, 0); t < THREADS_MAX; t = tset_next(&others, t + 1)) bounded_reverse(s, node, t);
}

static void dpor_done(struct strategy *s, const struct execution *x, enum execution_end end, bool cut, bool given_up) {
  (void)end;
  struct history *h = &s->history;
  enter_new_steps(s, x, cut);
  if (x->depth == 0 || deadline_passed) return; /* it may not be complete: nobody goes on with it */
  struct tset blocked = *x->alive;
  if (!s->limited) tset_minus(&blocked, given_up ? x->enabled : cut ? &vec_last(&s->nodes).enabled : &(struct tset){0});
  if (cut) {
    uint32_t begin = history_section(h, x->depth - 1);
    go_on_without(s, x->depth - 1);
    if (begin < x->depth - 1) go_on_without(s, begin);
    for (uint32_t i = begin; i < x->depth; i++) s->nodes.data[i].ended = true;
  }
  for (uint32_t t = tset_next(&blocked, 0); t < THREADS_MAX; t = tset_next(&blocked, t + 1)) {
    const struct event *pending = execution_pending(x, t), *interruptible = execution_interruptible(x, t);
    if (pending->op != EVENT_NONE) reverse_pending(s, x->depth, pending); /* else it stands nowhere */
    if (interruptible) reverse_pending(s, x->depth, interruptible);
  }
}

static bool dpor_again(const struct strategy *s) { return s->sections.grown; }

static bool dpor_bounded(const struct strategy *s) { return s->bound_hit; }

static double dpor_progress(const struct strategy *s) {
  struct tree_share p = {.width = 1};
  for (size_t i = 0; i < s->nodes.count; i++) {
    const struct dpor_node *n = &s->nodes.data[i];
    tree_share_descend(&p, tset_count(&n->backtrack), tset_count(&n->done), n->alternatives, s->path.steps.data[i].choice);
  }
  return p.done;
}

const struct strategy_type strategy_dpor = {
    .name = "dpor",
    .summary = "partial-order reduction with source and sleep sets: exhaustive, one execution a trace (--bound limits preemptions)",
    .exhaustive = true,
    .bounds = true,
    .in_parts = true,
    .create = dpor_create,
    .destroy = dpor_destroy,
    .restart = dpor_restart,
    .next = dpor_next,
    .pick = dpor_pick,
    .done = dpor_done,
    .again = dpor_again,
    .bounded = dpor_bounded,
    .progress = dpor_progress,
};
