/* The unfolding of a program, one maximal configuration an execution.
 *
 * Schemmel, Buening, Rodriguez, Laprell, Wehrle: "Symbolic partial-order execution for testing multi-threaded programs", CAV 2020 (with
 * Nguyen et al., "Quasi-optimal partial order reduction", CAV 2018). What it does and where it differs: docs/unfolding.md.
 *
 * The stack is the configuration C of the present execution, event by event; its nodes are the choices of the paper's binary tree: on the
 * left, what includes the event; on the right, what excludes it (`disabled`, the paper's D). Conflicting extensions of C come from the
 * races of history.h, each with the alternative that leads to it. */
#include <string.h>

#include "base/deadline.h"
#include "happens/history.h"
#include "happens/section.h"
#include "states/visited.h"
#include "strategy/strategy.h"
#include "strategy/unfolding/cutoff.h"
#include "strategy/unfolding/sequence.h"

/* An event that is excluded, as all configurations with it have been explored, and that could be taken here: nothing that depends on it has
 * been since. Or one that is a cutoff: configurations with it need not be explored, but those that could be given it must. */
struct disabled {
  uint32_t thread, choice;
  uint32_t alternatives;  /* that its thread's step has */
  uint32_t event, events; /* in disabled_events */
  bool ends;              /* it ended the execution for everybody, so everything depends on it */
  bool cutoff;
};

struct node {
  struct tset enabled;
  struct tset chosen;    /* threads whose other choices are among `todo`, or were */
  uint32_t alternatives; /* of the present step's thread; 0: not known yet */
  uint32_t first_disabled, disabled, first_event;
  bool explored;             /* a step that is no cutoff was taken, and all behind it */
  bool ended;                /* the present step, or a later one of the section that it begins, ended an execution for everybody */
  struct sequence rest;      /* to be taken behind the present step */
  VEC(struct sequence) todo; /* alternatives to the present step */
};

/* Steps whose order is to be reversed. */
struct race {
  uint32_t earlier, later;
  uint32_t since; /* history.since of the later one */
  bool ends;      /* it ended the execution for everybody */
};

struct strategy {
  struct history history;
  struct sections sections;      /* kept over restarts */
  struct schedule path, prefix;  /* prefix borrows path's array */
  VEC(struct node) nodes;        /* nodes.data[i] is the state before path.steps.data[i] */
  VEC(struct disabled) disabled; /* those of a node lie behind those of the nodes below it */
  VEC(struct event) disabled_events;
  VEC(struct fingerprint) names; /* by step of the history: canonical names, which are made of what is done and the causes' names */
  struct visited events;         /* the names of all events */
  VEC(struct race) races;        /* of the steps that are new in the present execution */
  bool complete;                 /* it went on until nothing was left to do */
  bool started, resumed;
  struct cutoffs cutoffs;
  bool cut_off;     /* the present execution's last step is a cutoff */
  bool leaf;        /* the present execution has come to where all that could be taken is excluded or a cutoff, and some is one; its node is
                       there */
  bool ready;       /* a cutoff has ended the last execution, and the next one goes on with something else in its place */
  bool lost;        /* the machine does not stand where the execution is */
  bool careful;     /* a step may end an execution for others, and so depend on everything, or go another way than it was seen to: it is not
                       known what it commutes with before it is taken */
  bool learnt;      /* since the last restart */
  bool livelocks;   /* are looked for */
  bool interrupted; /* threads may interrupt each other: see unfolding_limit() */
  uint64_t extensions, alternatives, repeated;
};

static struct strategy *unfolding_create(const struct strategy_options *options) {
  struct strategy *s = mem_alloc(sizeof *s);
  history_init(&s->history);
  s->events.most = states_memory(options);
  cutoffs_init(&s->cutoffs, options);
  s->livelocks = !options->no_livelocks;
  return s;
}

static void release_node(struct node *n) {
  for (size_t i = 0; i < n->todo.count; i++) sequence_release(&n->todo.data[i]);
  vec_release(&n->todo);
  sequence_release(&n->rest);
}

static void pop_node(struct strategy *s) {
  struct node *n = &vec_last(&s->nodes);
  s->disabled.count = n->first_disabled;
  s->disabled_events.count = n->first_event;
  release_node(n);
  s->nodes.count--;
  s->path.steps.count--;
}

static void unfolding_restart(struct strategy *s) {
  while (s->nodes.count) pop_node(s);
  history_clear(&s->history);
  vec_clear(&s->names);
  vec_clear(&s->races);
  visited_clear(&s->events);
  cutoffs_clear(&s->cutoffs);
  s->cut_off = s->leaf = s->ready = s->lost = false;
  s->started = s->resumed = s->learnt = s->sections.grown = false;
  s->extensions = s->alternatives = s->repeated = 0;
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

/* --- what is excluded --- */

static const struct event *events_of(const struct strategy *s, const struct disabled *d) { return &s->disabled_events.data[d->event]; }

static bool is_disabled(const struct strategy *s, const struct node *n, uint32_t thread, uint32_t choice) {
  for (uint32_t i = 0; i < n->disabled; i++) {
    const struct disabled *d = &s->disabled.data[n->first_disabled + i];
    if (d->thread == thread && d->choice == choice) return true;
  }
  return false;
}

/* All alternatives of the thread's step. `explored`: not counting cutoffs. */
static bool has_all(const struct strategy *s, const struct node *n, uint32_t thread, bool explored) {
  uint32_t found = 0, all = 1;
  for (uint32_t i = 0; i < n->disabled; i++) {
    const struct disabled *d = &s->disabled.data[n->first_disabled + i];
    if (d->thread == thread) found += !(explored && d->cutoff), all = d->alternatives;
  }
  return found >= all;
}

static bool fully_disabled(const struct strategy *s, const struct node *n, uint32_t thread) { return has_all(s, n, thread, false); }

/* A new node excludes what the one before it does, but for what the step between them is in conflict with. */
static void inherit(struct strategy *s, struct node *n, const struct event *events, uint32_t count) {
  const struct node *parent = &vec_last(&s->nodes);
  for (uint32_t i = 0; i < parent->disabled; i++) {
    struct disabled d = s->disabled.data[parent->first_disabled + i];
    if (d.ends || history_wakes(events_of(s, &d), d.events, events, count)) continue;
    *vec_push(&s->disabled) = d;
    n->disabled++;
  }
}

/* All configurations with the deepest node's event have been explored; or it is a cutoff. */
static void disable(struct strategy *s, bool cutoff) {
  const struct history *h = &s->history;
  const struct history_step *e = &vec_last(&h->steps);
  struct node *n = &vec_last(&s->nodes);
  uint32_t count = (uint32_t)h->events.count - e->first_event;
  *vec_push(&s->disabled) =
      (struct disabled){e->thread, e->choice, n->alternatives, (uint32_t)s->disabled_events.count, count, n->ended, cutoff};
  memcpy(vec_push_n(&s->disabled_events, count), &h->events.data[e->first_event], count * sizeof(struct event));
  n->disabled++;
  n->explored |= !cutoff;
}

/* Does every configuration that the sequence leads to have an event in it, or can it be given one, that is excluded at the node? */
static bool is_repeated(const struct strategy *s, const struct node *n, const struct sequence *q) {
  for (uint32_t i = 0; i < n->disabled; i++) {
    const struct disabled *d = &s->disabled.data[n->first_disabled + i];
    uint32_t at = sequence_find(q, d->thread);
    if (d->cutoff && q->steps.count > 1) continue;
    if (at < q->steps.count) {
      uint32_t choice = q->steps.data[at].choice;
      if (choice == ANY_CHOICE ? !has_all(s, n, d->thread, !d->cutoff) : choice != d->choice) continue;
    }
    if (d->cutoff) {
      if (at == 0) return true;
      continue;
    }
    if (d->ends) {
      if (at == 0) return true;
    } else if ((at < q->steps.count || (q->whole && !s->careful)) && sequence_commutes(q, at, events_of(s, d), d->events)) {
      return true;
    }
  }
  return false;
}

/* --- the tree --- */

/* Gives the deepest node an alternative as its next step; false if it has none left. */
static bool take_alternative(struct strategy *s) {
  struct node *n = &vec_last(&s->nodes);
  while (n->todo.count) {
    struct sequence q = n->todo.data[0];
    memmove(n->todo.data, n->todo.data + 1, --n->todo.count * sizeof q);
    uint32_t thread = q.steps.data[0].thread;
    if (!tset_has(&n->enabled, thread) || is_repeated(s, n, &q)) {
      s->repeated++;
      sequence_release(&q);
      continue;
    }
    s->alternatives++;
    vec_last(&s->path.steps) = (struct step){thread, q.steps.data[0].choice};
    n->alternatives = 0; /* known when the state is reached again */
    sequence_remove(&q, 0);
    sequence_release(&n->rest);
    n->rest = q;
    return true;
  }
  return false;
}

static bool advance(struct strategy *s) {
  while (s->nodes.count) {
    disable(s, false);
    vec_last(&s->nodes).ended = false;
    history_pop(&s->history, (uint32_t)s->nodes.count - 1);
    s->names.count = s->nodes.count - 1;
    if (take_alternative(s)) return true;
    pop_node(s);
  }
  return false;
}

static const struct schedule *unfolding_next(struct strategy *s) {
  if (s->started && !s->ready && !advance(s)) return NULL;
  s->complete = s->cut_off = s->leaf = s->ready = s->lost = false;
  s->resumed = s->started;
  s->started = true;
  s->prefix = s->path;
  if (s->resumed) s->prefix.steps.count--;
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
  if (tset_has(&n->enabled, t) && !fully_disabled(s, n, t)) return t;
  for (t = tset_next(&n->enabled, 0); t < THREADS_MAX; t = tset_next(&n->enabled, t + 1))
    if (!fully_disabled(s, n, t)) return t;
  return THREADS_MAX;
}

/* The deepest node takes the step of some thread. False: all that could be taken is excluded. */
static bool take_any(struct strategy *s) {
  uint32_t t = free_thread(s);
  if (t == THREADS_MAX) return false;
  vec_last(&s->path.steps) = (struct step){.thread = t, .choice = ANY_CHOICE};
  vec_last(&s->nodes).alternatives = 0;
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
    inherit(s, &n, events, count);
    hand_down(s, &n, x->steps[x->depth - 1], events, count);
  }
  *vec_push(&s->nodes) = n;
  *vec_push(&s->path.steps) = (struct step){0};
  return take_alternative(s) || take_any(s);
}

static void be_careful(struct strategy *s) {
  s->learnt |= !s->careful;
  s->careful = true;
}

/* Settles which alternative the deepest node's thread takes; the others are alternatives of the node. False: there is none. */
static bool settle_choice(struct strategy *s, const struct execution *x) {
  struct node *n = &vec_last(&s->nodes);
  struct step *step = &vec_last(&s->path.steps);
  if (n->alternatives) return true;
  n->alternatives = execution_alternatives(x, step->thread);
  if (step->choice == ANY_CHOICE)
    for (step->choice = 0; step->choice < n->alternatives && is_disabled(s, n, step->thread, step->choice);) step->choice++;
  if (step->choice >= n->alternatives) return false;
  if (n->alternatives > 1) be_careful(s);
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

/* --- conflicting extensions --- */

/* The operation to be moved before step `node`: that of step `step`, or one that is pending before it (== history.steps.count at the end).
 */
struct mover {
  uint32_t node, step, thread;
  uint32_t since; /* history.since */
  const struct event *events;
  uint32_t count;
  bool pending, ends;
};

static bool left_out(const struct history *h, uint32_t d, uint32_t j) {
  if (history_before(h, d, j)) return true;
  for (size_t i = 0; i < h->excluded.count; i++)
    if (history_before(h, h->excluded.data[i], j)) return true;
  return false;
}

/* What the execution has without step `node`, and then the mover. Of one that is pending within the execution, what came before it: then
 * its own thread goes on. */
static struct sequence without(const struct history *h, const struct mover *m, bool complete) {
  struct sequence q = {.whole = complete && (!m->pending || m->step == h->steps.count)};
  uint32_t end = q.whole ? (uint32_t)h->steps.count : m->step;
  bool follows = true;
  for (uint32_t j = m->node + 1; j < end; j++) {
    const struct history_step *e = &h->steps.data[j];
    if (left_out(h, m->node, j)) {
      follows &= e->thread != m->thread || j >= m->step;
      continue;
    }
    uint32_t last = j + 1 < h->steps.count ? h->steps.data[j + 1].first_event : (uint32_t)h->events.count;
    sequence_add(&q, e->thread, e->choice, &h->events.data[e->first_event], last - e->first_event);
  }
  if (follows) sequence_add(&q, m->thread, ANY_CHOICE, m->events, m->count);
  return q;
}

static void add_alternative(struct strategy *s, uint32_t node, struct sequence *q) {
  struct node *n = &s->nodes.data[node];
  bool known = q->steps.count == 0 || is_repeated(s, n, q);
  for (size_t i = 0; !known && i < n->todo.count; i++) known = sequence_begins(q, &n->todo.data[i]);
  if (known)
    sequence_release(q);
  else
    *vec_push(&n->todo) = *q;
}

static void reverse_at(struct strategy *s, struct mover *m, uint32_t node) {
  struct history *h = &s->history;
  m->node = node;
  vec_clear(&h->excluded);
  const struct history_step *e = &h->steps.data[node];
  bool waits = m->pending || m->events->op == EVENT_ACQUIRE || m->events->op == EVENT_WAIT_LEAVE;
  if (waits) history_reversal(h, node, m->ends ? NULL : &h->events.data[e->first_event], m->events, m->since, m->pending);
  struct sequence q = without(h, m, s->complete);
  s->extensions++;
  add_alternative(s, node, &q);
}

static void reverse(struct strategy *s, struct mover *m, uint32_t step) {
  uint32_t begin = history_section(&s->history, step);
  reverse_at(s, m, step);
  if (begin != step) reverse_at(s, m, begin);
}

/* What a thread is about to do before step `depth`. */
static void reverse_pending(struct strategy *s, uint32_t depth, const struct event *pending) {
  struct history *h = &s->history;
  history_blocked(h, pending);
  struct mover m = {.step = depth, .thread = pending->thread, .since = h->since, .events = pending, .count = 1, .pending = true};
  for (size_t i = 0; i < h->races.count && !deadline_passed; i++) reverse(s, &m, h->races.data[i]);
}

/* What threads that are blocked at the end are about to do. */
static void reverse_blocked(struct strategy *s, const struct execution *x, const struct tset *blocked) {
  uint32_t depth = (uint32_t)s->history.steps.count;
  for (uint32_t t = tset_next(blocked, 0); t < THREADS_MAX; t = tset_next(blocked, t + 1)) {
    const struct event *pending = execution_pending(x, t), *interruptible = execution_interruptible(x, t);
    if (pending->op != EVENT_NONE) reverse_pending(s, depth, pending); /* else it stands nowhere */
    if (interruptible) reverse_pending(s, depth, interruptible);
  }
}

static void note_races(struct strategy *s, bool ends) {
  const struct history *h = &s->history;
  for (size_t i = 0; i < h->races.count; i++)
    *vec_push(&s->races) = (struct race){h->races.data[i], (uint32_t)h->steps.count - 1, h->since, ends};
}

static void reverse_race(struct strategy *s, const struct race *r) {
  const struct history *h = &s->history;
  const struct history_step *e = &h->steps.data[r->later];
  uint32_t end = r->later + 1 < h->steps.count ? h->steps.data[r->later + 1].first_event : (uint32_t)h->events.count;
  struct mover m = {.step = r->later, .thread = e->thread, .since = r->since, .ends = r->ends};
  m.events = &h->events.data[e->first_event], m.count = end - e->first_event;
  reverse(s, &m, r->earlier);
}

/* Once all of the execution is known. */
static void reverse_races(struct strategy *s) {
  for (size_t i = 0; i < s->races.count && !deadline_passed; i++) reverse_race(s, &s->races.data[i]);
  vec_clear(&s->races);
}

/* The last step of the history gets its name. */
static void name_step(struct strategy *s) {
  const struct history *h = &s->history;
  uint32_t i = (uint32_t)h->steps.count - 1;
  const struct history_step *e = &h->steps.data[i];
  struct fingerprint name = {hash_pair(e->thread, e->choice) | 1, hash_pair(e->choice, e->thread)};
  for (uint32_t t = 0; t < h->width; t++) {
    uint32_t index = h->clocks.data[(size_t)i * h->width + t] - (t == e->thread), step = t == e->thread ? e->own : h->last[t];
    if (index == 0 || index == UINT32_MAX) continue;
    while (step != NO_STEP && h->steps.data[step].index > index) step = h->steps.data[step].own;
    if (step == NO_STEP) continue;
    const struct fingerprint *cause = &s->names.data[step];
    name.lo += hash_pair(cause->lo, t), name.hi += hash_pair(cause->hi, ~(uint64_t)t);
  }
  *vec_push(&s->names) = name;
  if (visited_find(&s->events, name) == NOT_VISITED) visited_add(&s->events, name, 0);
}

/* Enters the steps behind the known part of the execution and notes their races. */
static void enter_new_steps(struct strategy *s, const struct execution *x, bool cut) {
  static const struct event nothing = {.op = EVENT_NONE}; /* a step may end the execution before it does anything */
  struct history *h = &s->history;
  for (uint32_t i = (uint32_t)h->steps.count; i < x->depth && !deadline_passed; i++) {
    uint32_t from = i ? x->ends[i - 1] : 0, t = x->steps[i].thread;
    uint32_t count = x->ends[i] - from;
    const struct event *events = count ? sections_complete(&s->sections, x->trace, from, &count) : &nothing;
    bool ends = cut && i + 1 == x->depth;
    const struct event *look = history_look(events, count);
    if (look) reverse_pending(s, i, look);
    history_push(h, t, x->steps[i].choice, events, count ? count : 1, &s->nodes.data[i].enabled, ends);
    name_step(s);
    if (ends && h->races.count) be_careful(s);
    note_races(s, ends);
  }
}

/* The last step ended the execution for everybody: sees to what the others could have done instead of the step at `node`. */
static void go_on_without(struct strategy *s, uint32_t node) {
  const struct tset others = s->nodes.data[node].enabled;
  for (uint32_t t = tset_next(&others, 0); t < THREADS_MAX; t = tset_next(&others, t + 1)) {
    if (fully_disabled(s, &s->nodes.data[node], t)) continue;
    struct sequence q = {0};
    sequence_add(&q, t, ANY_CHOICE, NULL, 0);
    add_alternative(s, node, &q);
  }
}

/* --- cutoffs --- */

/* The cutoffs at the end of the execution, whose last node has them: what they could have come before. */
static void reverse_cutoffs(struct strategy *s) {
  struct history *h = &s->history;
  const struct node *n = &vec_last(&s->nodes);
  uint32_t depth = (uint32_t)h->steps.count;
  for (uint32_t i = 0; i < n->disabled && !deadline_passed; i++) {
    const struct disabled *d = &s->disabled.data[n->first_disabled + i];
    if (!d->cutoff || !tset_has(&n->enabled, d->thread)) continue;
    history_push(h, d->thread, d->choice, events_of(s, d), d->events, &n->enabled, false);
    struct mover m = {.step = depth, .thread = d->thread, .since = h->since, .count = d->events};
    m.events = &h->events.data[h->steps.data[depth].first_event];
    for (size_t k = 0; k < h->races.count; k++) reverse(s, &m, h->races.data[k]);
    history_pop(h, depth);
  }
}

/* Nothing but cutoffs is left at the deepest node. */
static bool only_cutoffs(const struct strategy *s) {
  const struct node *n = &vec_last(&s->nodes);
  for (uint32_t i = 0; i < n->disabled; i++) {
    const struct disabled *d = &s->disabled.data[n->first_disabled + i];
    if (!d->cutoff && tset_has(&n->enabled, d->thread)) return false;
  }
  return true;
}

/* The execution has ended at the deepest node, before the step that its thread may have taken there. */
static void end_at_leaf(struct strategy *s, const struct execution *x) {
  struct history *h = &s->history;
  s->complete = only_cutoffs(s);
  reverse_races(s);
  reverse_cutoffs(s);
  struct tset blocked = *x->alive;
  tset_minus(&blocked, &vec_last(&s->nodes).enabled);
  uint32_t depth = (uint32_t)h->steps.count;
  for (uint32_t k = depth ? x->ends[depth - 1] : 0; depth < x->depth && k < x->ends[x->depth - 1]; k++)
    if (x->trace[k].op == EVENT_FORK && x->trace[k].object < THREADS_MAX) tset_put(&blocked, (uint32_t)x->trace[k].object, false);
  reverse_blocked(s, x, &blocked);
  pop_node(s);
}

/* Drops the noted races of the last step, after looking at them if that is wanted. */
static void settle_last_races(struct strategy *s, bool look) {
  uint32_t last = (uint32_t)s->history.steps.count - 1;
  size_t first = s->races.count;
  while (first > 0 && s->races.data[first - 1].later == last) first--;
  for (size_t i = first; look && i < s->races.count && !deadline_passed; i++) reverse_race(s, &s->races.data[i]);
  s->races.count = first;
}

/* The last step is a cutoff: something else comes in its place, or the execution ends before it. */
static void cut_off(struct strategy *s, const struct execution *x) {
  struct history *h = &s->history;
  struct node *n = &vec_last(&s->nodes);
  uint32_t depth = (uint32_t)h->steps.count - 1;
  disable(s, true);
  struct sequence rest = n->rest;
  n->rest = (struct sequence){0};
  const struct disabled *d = &vec_last(&s->disabled);
  sequence_leave_out(&rest, d->thread, events_of(s, d), d->events);
  if (rest.steps.count)
    *vec_push(&n->todo) = rest;
  else
    sequence_release(&rest);
  s->ready = take_alternative(s) || (!n->explored && take_any(s));
  bool leaf = !s->ready && !n->explored;
  settle_last_races(s, !leaf);
  history_pop(h, depth);
  s->names.count = depth;
  if (leaf)
    end_at_leaf(s, x);
  else if (!s->ready)
    pop_node(s);
}

/* Is a cutoff among what is excluded at the deepest node? */
static bool has_cutoffs(const struct strategy *s) {
  const struct node *n = &vec_last(&s->nodes);
  for (uint32_t i = 0; i < n->disabled; i++)
    if (s->disabled.data[n->first_disabled + i].cutoff) return true;
  return false;
}

/* False: the last step is a cutoff, or it cannot be told any more. */
static bool enter_unless_cut_off(struct strategy *s, const struct execution *x) {
  if (x->depth == 0) {
    cutoffs_begin(&s->cutoffs, x);
    return true;
  }
  enter_new_steps(s, x, false);
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
    s->leaf = has_cutoffs(s);
    if (!s->leaf) pop_node(s);
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
  enter_new_steps(s, x, cut);
  reverse_races(s);
  if (x->depth == 0 || deadline_passed) return; /* it may not be complete: nobody goes on with it */
  struct tset blocked = *x->alive;
  tset_minus(&blocked, given_up ? x->enabled : cut ? &vec_last(&s->nodes).enabled : &(struct tset){0});
  if (cut) {
    struct tset others = *x->alive;
    tset_put(&others, x->steps[x->depth - 1].thread, false);
    if (!tset_empty(&others)) be_careful(s);
    uint32_t begin = history_section(h, x->depth - 1);
    go_on_without(s, x->depth - 1);
    if (begin < x->depth - 1) go_on_without(s, begin);
    for (uint32_t i = begin; i < x->depth; i++) s->nodes.data[i].ended = true;
  }
  reverse_blocked(s, x, &blocked);
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
