/* From the engine's answer to a witness: of the events that the answer has before the end, those that the last ones need.
 *
 * What is left out can be left out because nothing that stays depends on it: a write that no read takes its value from, a section of a
 * lock as a whole, a wait together with its signal. What an event needs is found by following the answer's order. */
#include "causal/internal.h"

enum { ISSUED = 1, FLUSHED = 2 };

static uint32_t position(const struct causal *c, uint32_t event) { return c->position.data[place_of(c, event)]; }
static bool earlier(const struct causal *c, uint32_t a, uint32_t b) { return position(c, a) < position(c, b); }
/* All of the prefix is there. */
static bool is_wanted(const struct causal *c, uint32_t event) { return event < c->prefix || (c->wanted.data[event] & ISSUED); }
static bool holds(struct causal *c, const struct pairing *p) { return order_value(c->order, p->holds); }

static void want(struct causal *c, uint32_t event) {
  if (event == NONE || is_wanted(c, event)) return;
  c->wanted.data[event] |= ISSUED;
  *vec_push(&c->work) = event;
}

/* Does the thread's store `a` leave the buffer before its later store `b`? (The engine must not be asked: that ends its answer.) */
static bool leaves_before(const struct causal *c, uint32_t a, uint32_t b) {
  const struct event *x = &c->trace[a], *y = &c->trace[b];
  if (c->options.memory == CAUSAL_TSO || place_drains(c, y)) return true;
  return x->object < y->object + y->size && y->object < x->object + x->size;
}

/* The store is to be in memory, and with it those that leave the buffer before it. */
static void want_flush(struct causal *c, uint32_t event) {
  want(c, event);
  if (!c->info.data[event].buffered || (c->wanted.data[event] & FLUSHED)) return;
  c->wanted.data[event] |= FLUSHED;
  for (uint32_t i = c->info.data[event].previous; i != NONE; i = c->info.data[i].previous)
    if (c->info.data[i].buffered && leaves_before(c, i, event)) want_flush(c, i);
}

static void want_flushes_before(struct causal *c, uint32_t event) {
  for (uint32_t i = c->info.data[event].previous; i != NONE; i = c->info.data[i].previous)
    if (c->info.data[i].buffered) want_flush(c, i);
}

/* What the thread must have done to stand before the event. */
static void want_before(struct causal *c, uint32_t event) {
  const struct info *x = &c->info.data[c->info.data[event].head];
  want(c, x->previous);
  if (x->previous == NONE) want(c, c->threads.data[x->slot].fork);
}

/* --- memory --- */

/* The write that a reading of the cell at `place` sees in the answer. */
static void want_source(struct causal *c, const struct cell *x, uint32_t at, uint32_t place, uint16_t slot) {
  const struct entry *own = cell_own_write(c, x, slot, at), *source = NULL;
  const uint32_t *order = c->position.data;
  for (uint32_t i = 0; i < x->count; i++) {
    const struct entry *e = &c->entries.data[x->first + i];
    if (!e->writes || e->place == place || order[e->place] > order[place] || (e->slot == slot && i >= at)) continue;
    if (!source || order[e->place] > order[source->place]) source = e;
  }
  if (own && (!source || order[own->place] > order[place])) source = own;
  if (!source) return;
  if (source->slot == slot) {
    want(c, source->event);
    return;
  }
  want_flush(c, source->event);
  if (own) want_flush(c, own->event);
}

static void want_sources(struct causal *c, uint32_t event, uint32_t place) {
  const struct location *at = &c->locations.data[c->info.data[event].location];
  for (uint32_t i = 0; i < at->cells; i++) {
    const struct cell *x = &c->cells.data[at->cell + i];
    want_source(c, x, cell_position(c, x, place_of(c, event)), place, c->info.data[event].slot);
  }
}

/* --- synchronisation, for an operation at `place`: its own, or the end --- */

static void want_holder(struct causal *c, const struct object *x, uint32_t event, uint32_t place) {
  const struct section *found = NULL;
  for (uint32_t i = 0; i < x->parts; i++) {
    const struct section *s = &c->sections.data[x->part + i];
    if (!section_blocks(s, c->info.data[event].slot, c->trace[event].flags & EVENT_SHARED_LOCK)) continue;
    if (position(c, s->acquire) > c->position.data[place]) continue;
    if (s->release != NONE && position(c, s->release) < c->position.data[place]) continue;
    if (!found || is_wanted(c, s->acquire)) found = s;
  }
  if (found) want(c, found->acquire);
}

/* The waits of the threads that the notification wakes. */
static void want_waits(struct causal *c, const struct object *x, uint64_t set, uint32_t place) {
  for (uint64_t rest = set; rest; rest &= rest - 1) {
    uint32_t found = NONE;
    for (uint32_t i = 0; i < x->parts; i++) {
      const struct wait *w = &c->waits.data[x->part + i];
      if (c->threads.data[w->slot].tid != (uint32_t)__builtin_ctzll(rest)) continue;
      if (position(c, w->enter) < c->position.data[place]) found = w->enter;
    }
    want(c, found);
  }
}

static void want_signal(struct causal *c, const struct object *x, uint32_t leave, uint32_t place) {
  uint32_t wait = condition_wait(c, x, leave);
  for (uint32_t i = 0; i < x->pairs; i++) {
    const struct pairing *p = &c->pairings.data[x->pair + i];
    if (x->part + p->to == wait && holds(c, p) && position(c, p->from) < c->position.data[place]) want(c, p->from);
  }
}

static void want_token(struct causal *c, const struct object *x, uint32_t event) {
  for (uint32_t i = 0; i < x->pairs; i++) {
    const struct pairing *p = &c->pairings.data[x->pair + i];
    if (p->to == event && p->from < c->n && holds(c, p)) want(c, p->from);
  }
}

/* A post that nobody has taken anything of before the end, if the semaphore needs one. */
static void want_free_token(struct causal *c, const struct object *x) {
  uint32_t taken = 0;
  for (uint32_t i = 0; i < x->pairs; i++) {
    const struct pairing *p = &c->pairings.data[x->pair + i];
    taken += p->from >= c->n && holds(c, p) && position(c, p->to) < c->position.data[c->end];
  }
  if (taken < x->count) return;
  for (uint32_t i = x->first; i != NONE; i = c->operations.data[i].next) {
    uint32_t post = c->operations.data[i].event;
    bool open = c->trace[post].op == EVENT_SEM_POST && position(c, post) < c->position.data[c->end];
    for (uint32_t k = 0; k < x->pairs && open; k++) {
      const struct pairing *p = &c->pairings.data[x->pair + k];
      open = !(p->from == post && holds(c, p) && position(c, p->to) < c->position.data[c->end]);
    }
    if (!open) continue;
    want(c, post);
    return;
  }
}

static void want_round(struct causal *c, const struct object *x, uint32_t event) {
  for (uint32_t i = x->first; i != NONE; i = c->operations.data[i].next) {
    uint32_t other = c->operations.data[i].event;
    if (other != event && c->trace[other].op == EVENT_BARRIER_ENTER && c->trace[other].value == c->trace[event].value) want(c, other);
  }
}

/* What the operation needs to have this result. */
static void want_operation(struct causal *c, uint32_t event, uint32_t place, uint64_t result) {
  const struct event *e = &c->trace[event];
  const struct object *x = object_at(c, e->object);
  if (!x || x->frozen) return;
  if (x->kind == OBJECT_LOCK && result == 0 && (e->op == EVENT_TRYFAIL || e->op == EVENT_ACQUIRE)) want_holder(c, x, event, place);
  if (e->op == EVENT_SIGNAL || e->op == EVENT_BROADCAST) want_waits(c, x, result, place);
  if (e->op == EVENT_WAIT_LEAVE && result) want_signal(c, x, event, place);
  if (x->kind == OBJECT_SEMAPHORE && result && e->op == EVENT_SEM_WAIT && place != c->end) want_token(c, x, event);
  if (x->kind == OBJECT_SEMAPHORE && result && place == c->end) want_free_token(c, x);
  if (e->op == EVENT_BARRIER_LEAVE || (e->op == EVENT_BARRIER_ENTER && result)) want_round(c, x, event);
}

/* The result of an operation, of those that matter here. */
static uint64_t result_of(const struct event *e) {
  uint64_t result;
  if (causal_is_read(e, &result)) return result;
  return e->op != EVENT_BARRIER_ENTER;
}

static bool is_operation(const struct event *e) { return e->op >= EVENT_ACQUIRE && e->op <= EVENT_SEM_WAIT; }
static bool is_reading(const struct event *e) { return e->op == EVENT_READ || e->op == EVENT_RMW || e->op == EVENT_AWAIT; }

static void want_thread_end(struct causal *c, const struct event *join) {
  if (join->object < THREADS_MAX && c->slot_of[join->object]) want(c, c->threads.data[c->slot_of[join->object] - 1].end);
}

static void look_at(struct causal *c, uint32_t event) {
  const struct event *e = &c->trace[event];
  const struct info *x = &c->info.data[event];
  want_before(c, event);
  if (x->head != event) want(c, x->head);
  if (x->next != NONE && c->info.data[x->next].head == x->head) want(c, x->next);
  if (!x->buffered && place_drains(c, e)) want_flushes_before(c, x->head);
  bool kept = !c->needs || e->op != EVENT_READ || order_value(c->order, x->keep);
  if (is_reading(e) && x->location != NONE && kept) want_sources(c, event, x->place);
  if (is_operation(e)) want_operation(c, event, x->place, result_of(e));
  if (e->op == EVENT_JOIN && !(e->flags & EVENT_TIMED_OUT)) want_thread_end(c, e);
}

static void look_at_all(struct causal *c) {
  while (c->work.count) look_at(c, vec_pop(&c->work));
}

/* --- what depends on which others stay --- */

/* A section that comes before another one has to end. */
static void end_sections(struct causal *c, const struct object *x) {
  for (uint32_t i = 0; i < x->parts; i++) {
    const struct section *a = &c->sections.data[x->part + i];
    if (!is_wanted(c, a->acquire) || a->release == NONE || is_wanted(c, a->release)) continue;
    for (uint32_t k = 0; k < x->parts; k++) {
      const struct section *b = &c->sections.data[x->part + k];
      if (is_wanted(c, b->acquire) && section_blocks(a, b->slot, b->shared) && earlier(c, a->acquire, b->acquire)) want(c, a->release);
    }
  }
}

/* Likewise all of them that block the thread before the end. */
static void end_sections_for(struct causal *c, const struct object *x, uint16_t slot, bool shared) {
  for (uint32_t i = 0; i < x->parts; i++) {
    const struct section *s = &c->sections.data[x->part + i];
    if (is_wanted(c, s->acquire) && section_blocks(s, slot, shared)) want(c, s->release);
  }
}

/* Waits that a notification at `place` does not wake have ended. */
static void end_waits(struct causal *c, const struct object *x, uint64_t set, uint32_t place) {
  for (uint32_t i = 0; i < x->parts; i++) {
    const struct wait *w = &c->waits.data[x->part + i];
    if (!is_wanted(c, w->enter) || position(c, w->enter) > c->position.data[place]) continue;
    if (set >> c->threads.data[w->slot].tid & 1) continue;
    if (w->expired && position(c, w->leave) < c->position.data[place]) {
      want(c, w->leave);
      continue;
    }
    for (uint32_t k = 0; k < x->pairs; k++) {
      const struct pairing *p = &c->pairings.data[x->pair + k];
      if (p->to == i && holds(c, p) && position(c, p->from) < c->position.data[place]) want(c, p->from);
    }
  }
}

/* What was there at `place` has been taken. */
static void empty(struct causal *c, const struct object *x, uint32_t place) {
  for (uint32_t i = 0; i < x->pairs; i++) {
    const struct pairing *p = &c->pairings.data[x->pair + i];
    if (!holds(c, p) || position(c, p->to) > c->position.data[place]) continue;
    if (p->from >= c->n || is_wanted(c, p->from)) want(c, p->to);
  }
}

static bool wakes_some(const struct event *e, uint64_t set) { return e->op == EVENT_SIGNAL && set; }

static void depend_on_operations(struct causal *c, const struct object *x) {
  if (x->frozen) return;
  if (x->kind == OBJECT_LOCK) end_sections(c, x);
  if (x->kind != OBJECT_CONDITION && x->kind != OBJECT_SEMAPHORE) return;
  for (uint32_t i = x->first; i != NONE; i = c->operations.data[i].next) {
    uint32_t event = c->operations.data[i].event;
    const struct event *e = &c->trace[event];
    if (!is_wanted(c, event)) continue;
    if ((e->op == EVENT_SIGNAL || e->op == EVENT_BROADCAST) && !wakes_some(e, e->value)) end_waits(c, x, e->value, place_of(c, event));
    if (x->kind == OBJECT_SEMAPHORE && e->op == EVENT_TRYFAIL) empty(c, x, place_of(c, event));
  }
}

/* The same for the operation that the question is about, at the end. */
static void depend_at_end(struct causal *c, uint32_t event, uint64_t result) {
  const struct event *e = &c->trace[event];
  const struct object *x = is_operation(e) ? object_at(c, e->object) : NULL;
  if (!x || x->frozen) return;
  if (x->kind == OBJECT_LOCK && result) end_sections_for(c, x, c->info.data[event].slot, e->flags & EVENT_SHARED_LOCK);
  if ((e->op == EVENT_SIGNAL || e->op == EVENT_BROADCAST) && !wakes_some(e, result)) end_waits(c, x, result, c->end);
  if (x->kind == OBJECT_SEMAPHORE && !result) empty(c, x, c->here);
  if (e->op != EVENT_WAIT_LEAVE || !result) return;
  uint32_t enter = c->waits.data[condition_wait(c, x, event)].enter;
  end_sections_for(c, object_at(c, c->trace[enter].value2), c->info.data[event].slot, false);
}

static void want_all(struct causal *c, enum goal goal, const uint32_t *last, uint64_t result) {
  do {
    look_at_all(c);
    for (size_t i = 0; i < c->objects.count; i++) depend_on_operations(c, &c->objects.data[i]);
    if (goal == GOAL_READ) depend_at_end(c, last[0], result);
    for (size_t i = 0; i < c->pairs.count; i++)
      if (is_wanted(c, c->pairs.data[i].after)) want_flush(c, c->pairs.data[i].before);
  } while (c->work.count);
}

/* --- writing it down --- */

void witness_put(struct causal *c, uint32_t event, bool flush) {
  const struct event *e = &c->trace[event];
  *vec_push(&c->steps) = (struct causal_step){.event = event, .thread = e->thread, .index = e->index, .choice = e->choice, .flush = flush};
}

/* Lets the thread do all that it does before `event` and has not done: stores into its buffer. */
static void issue_until(struct causal *c, uint32_t event) {
  struct thread *t = &c->threads.data[c->info.data[event].slot];
  for (; t->issue != NONE && t->issue < event; t->issue = c->info.data[t->issue].next) witness_put(c, t->issue, false);
}

static bool is_issued(const struct causal *c, uint32_t event) {
  const struct thread *t = &c->threads.data[c->info.data[event].slot];
  return t->issue == NONE || t->issue > event;
}

static void issue_step(struct causal *c, uint32_t head) {
  struct thread *t = &c->threads.data[c->info.data[head].slot];
  issue_until(c, head);
  while (t->issue != NONE && c->info.data[t->issue].head == head) {
    witness_put(c, t->issue, false);
    t->issue = c->info.data[t->issue].next;
  }
}

/* What the witness is for: the event, with the part of its step before it. */
static void put_last(struct causal *c, uint32_t event) {
  for (uint32_t i = c->info.data[event].head; i <= event; i++) witness_put(c, i, false);
}

/* The read of the question, where it is not the last one: its thread goes no further. */
static void put_read(struct causal *c, uint32_t read) {
  issue_until(c, c->info.data[read].head);
  put_last(c, read);
  c->threads.data[c->info.data[read].slot].issue = NONE;
}

/* The steps of the order before the end that are wanted. A step's first event is the one whose place was added with it. */
static void put_steps(struct causal *c, uint32_t read) {
  uint32_t places = order_count(c->order);
  vec_clear(&c->event_at);
  uint32_t *event_at = vec_push_n(&c->event_at, places);
  for (uint32_t i = 0; i < places; i++) event_at[i] = NONE;
  for (uint32_t i = 0; i < c->n; i++)
    if (c->info.data[i].head == i && (i >= c->prefix || c->info.data[i].buffered)) event_at[c->info.data[i].place] = i;
  for (size_t i = 0; i < c->threads.count; i++) c->threads.data[i].issue = NONE;
  for (uint32_t i = c->all; i-- > c->prefix;) c->threads.data[c->info.data[i].slot].issue = i;
  for (uint32_t i = 0; i < places && c->linear.data[i] != c->end; i++) {
    uint32_t event = event_at[c->linear.data[i]];
    if (c->linear.data[i] == c->here) put_read(c, read);
    if (event == NONE || c->wanted.data[event] == 0) continue;
    if (!c->info.data[event].buffered) issue_step(c, event);
    if (!(c->wanted.data[event] & FLUSHED)) continue;
    if (!is_issued(c, event)) issue_step(c, event);
    witness_put(c, event, true);
  }
}

static void want_last(struct causal *c, enum goal goal, uint32_t event, uint64_t result) {
  const struct info *x = &c->info.data[event];
  want_before(c, event);
  if (goal == GOAL_READ && !x->buffered && place_drains(c, &c->trace[event])) want_flushes_before(c, x->head);
  for (uint32_t i = x->head; i < event; i++)
    if (is_reading(&c->trace[i])) want_sources(c, i, c->here);
  if (goal != GOAL_READ) return;
  const struct event *e = &c->trace[event];
  if (is_reading(e)) want_sources(c, event, c->here);
  if (is_operation(e)) want_operation(c, event, c->here, result);
  if (e->op == EVENT_JOIN && result) want_thread_end(c, e);
}

void witness_write(struct causal *c, enum goal goal, const uint32_t *last, uint32_t n, uint64_t result) {
  uint32_t places = order_count(c->order);
  vec_clear(&c->linear);
  vec_clear(&c->position);
  vec_clear(&c->wanted);
  vec_clear(&c->work);
  order_linear(c->order, vec_push_n(&c->linear, places));
  (void)vec_push_n(&c->position, places);
  for (uint32_t i = 0; i < places; i++) c->position.data[c->linear.data[i]] = i;
  (void)vec_push_n(&c->wanted, c->all);
  for (uint32_t i = 0; i < c->all; i++) c->wanted.data[i] = 0;
  for (uint32_t i = c->prefix; c->kept && i < c->n; i++)
    if (c->kept[i]) want(c, i);
  if (goal == GOAL_FREED) want(c, last[--n]);
  if (goal == GOAL_VALUE) {
    want(c, last[0]);
    want_sources(c, last[1], place_of(c, last[1]));
    n = 0;
  }
  for (uint32_t i = c->prefix; c->options.recorded && c->waits.count && i < c->n;
       i++) /* whom a notification wakes follows from all of it */
    if (position(c, i) < c->position.data[c->end]) want(c, i);
  for (uint32_t i = 0; i < n && goal == GOAL_ARRANGED; i++) want(c, last[i]);
  for (uint32_t i = 0; i < n && goal != GOAL_ARRANGED; i++) want_last(c, goal, last[i], result);
  want_all(c, goal, last, result);
  put_steps(c, last[0]);
  if (goal == GOAL_ARRANGED) n = 0;
  bool swap = goal == GOAL_RACE && c->info.data[last[0]].head != last[0];
  for (uint32_t i = c->prefix; c->kept && i < c->n; i++)
    if (c->kept[i] && !is_issued(c, i)) issue_step(c, i);
  for (uint32_t i = 0; c->here == c->end && i < n; i++) issue_until(c, c->info.data[last[i]].head);
  for (uint32_t i = 0; goal != GOAL_DEADLOCK && c->here == c->end && i < n; i++) put_last(c, last[swap ? n - 1 - i : i]);
  witness_choose(c, goal == GOAL_READ ? last[0] : NONE, result);
}

const struct causal_step *causal_witness(const struct causal *c, uint32_t *n) {
  *n = (uint32_t)c->steps.count;
  return c->steps.data;
}
