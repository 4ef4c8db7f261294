/* Conflicting extensions: what could have come first, and the alternatives that lead there. */
#include "strategy/unfolding/unfolding.h"

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
    sequence_add(&q, e->thread, e->choice, &h->events.data[e->first_event], history_events(h, j));
  }
  if (follows) sequence_add(&q, m->thread, ANY_CHOICE, m->events, m->count);
  return q;
}

static void add_alternative(struct strategy *s, uint32_t node, struct sequence *q) {
  struct node *n = &s->nodes.data[node];
  bool known = q->steps.count == 0 || unfolding_is_repeated(s, n, q);
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

void unfolding_reverse_blocked(struct strategy *s, const struct execution *x, const struct tset *blocked) {
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
  struct mover m = {.step = r->later, .thread = e->thread, .since = r->since, .ends = r->ends};
  m.events = &h->events.data[e->first_event], m.count = history_events(h, r->later);
  reverse(s, &m, r->earlier);
}

void unfolding_reverse_races(struct strategy *s) {
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

void unfolding_enter_new_steps(struct strategy *s, const struct execution *x, bool cut) {
  static const struct event nothing = {.op = EVENT_NONE}; /* a step may end the execution before it does anything */
  struct history *h = &s->history;
  for (uint32_t i = (uint32_t)h->steps.count; i < x->depth && !deadline_passed; i++) {
    uint32_t from = i ? x->ends[i - 1] : 0, t = x->steps[i].thread;
    uint32_t count = x->ends[i] - from;
    const struct event *events = count ? sections_complete(&s->sections, x->trace, from, &count) : &nothing;
    bool ends = cut && i + 1 == x->depth;
    const struct event *look = history_look(events, count);
    if (look && i >= s->known) reverse_pending(s, i, look);
    history_push(h, t, x->steps[i].choice, events, count ? count : 1, &s->nodes.data[i].enabled, ends);
    name_step(s);
    if (i < s->known) continue;
    if (ends && h->races.count) unfolding_be_careful(s);
    note_races(s, ends);
  }
}

void unfolding_go_on_without(struct strategy *s, uint32_t node) {
  const struct tset others = s->nodes.data[node].enabled;
  for (uint32_t t = tset_next(&others, 0); t < THREADS_MAX; t = tset_next(&others, t + 1)) {
    if (unfolding_fully_excluded(s, &s->nodes.data[node], t)) continue;
    struct sequence q = {0};
    sequence_add(&q, t, ANY_CHOICE, NULL, 0);
    add_alternative(s, node, &q);
  }
}

void unfolding_reverse_cutoffs(struct strategy *s) {
  struct history *h = &s->history;
  const struct node *n = &vec_last(&s->nodes);
  uint32_t depth = (uint32_t)h->steps.count;
  for (uint32_t i = 0; i < n->disabled && !deadline_passed; i++) {
    const struct disabled *d = &s->disabled.data[n->first_disabled + i];
    if (!d->cutoff || !tset_has(&n->enabled, d->thread)) continue;
    history_push(h, d->thread, d->choice, unfolding_excluded_events(s, d), d->events, &n->enabled, false);
    struct mover m = {.step = depth, .thread = d->thread, .since = h->since, .count = d->events};
    m.events = &h->events.data[h->steps.data[depth].first_event];
    for (size_t k = 0; k < h->races.count; k++) reverse(s, &m, h->races.data[k]);
    history_pop(h, depth);
  }
}

void unfolding_settle_last_races(struct strategy *s, bool look) {
  uint32_t last = (uint32_t)s->history.steps.count - 1;
  size_t first = s->races.count;
  while (first > 0 && s->races.data[first - 1].later == last) first--;
  for (size_t i = first; look && i < s->races.count && !deadline_passed; i++) reverse_race(s, &s->races.data[i]);
  s->races.count = first;
}
