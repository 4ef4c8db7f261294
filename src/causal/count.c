/* Semaphores and barriers. Of the machine's executions, a wait at a semaphore takes one of the initial counts or what a post left, each of
 * which is taken once: that is the same as a count that is never negative, and a clause for each pair instead of arithmetic. */
#include "causal/internal.h"

static struct pairing *pairing_at(const struct causal *c, const struct object *x, uint32_t i) { return &c->pairings.data[x->pair + i]; }

/* Does the trace's count add up? */
static void follow_count(struct causal *c, struct object *x) {
  bool known = false;
  uint64_t count = 0;
  for (uint32_t i = x->first; i != NONE; i = c->operations.data[i].next) {
    const struct event *e = &c->trace[c->operations.data[i].event];
    if (e->op == EVENT_TRYFAIL) {
      if ((known && count != 0) || (e->flags & EVENT_INTERNAL)) object_freeze(c, x, "a semaphore whose count changed without an event");
      if (!known) known = true, x->count = 0;
      continue;
    }
    bool post = e->op == EVENT_SEM_POST;
    bool fixed = c->operations.data[i].event < c->prefix;
    if (!known) known = true, count = post ? e->value - (e->value > 0) : e->value + 1, x->count = (uint32_t)count;
    count = post ? count + 1 : count - 1;
    if (fixed) x->count = (uint32_t)count;
    if (count != e->value) object_freeze(c, x, "a semaphore whose count changed without an event");
  }
}

/* A token is taken once; a wait takes one. */
static void add_pairing(struct causal *c, struct object *x, uint32_t from, uint32_t token, uint32_t to) {
  struct order_lit l = order_var(c->order);
  if (from != NONE && !before(c, place_of(c, from), place_of(c, to))) clause2(c, order_not(l), less(c, place_of(c, from), place_of(c, to)));
  for (uint32_t i = 0; i < x->pairs; i++) {
    const struct pairing *p = pairing_at(c, x, i);
    if (p->from == token || p->to == to) clause2(c, order_not(l), order_not(p->holds));
  }
  *vec_push(&c->pairings) = (struct pairing){token, to, l};
  x->pairs++;
}

/* Tokens of the initial count, as pairings name them: behind all events. */
static uint32_t initial_token(const struct causal *c, uint32_t i) { return c->n + i; }

/* Lets `to`, or (at the end) nobody, take a token; the clause that it takes one. */
static void take(struct causal *c, struct object *x, uint32_t to) {
  uint32_t from = x->pairs;
  for (uint32_t i = 0; i < x->count; i++) add_pairing(c, x, NONE, initial_token(c, i), to);
  for (uint32_t i = x->first; i != NONE; i = c->operations.data[i].next) {
    uint32_t event = c->operations.data[i].event;
    if (c->trace[event].op == EVENT_SEM_POST && !before(c, place_of(c, to), place_of(c, event))) add_pairing(c, x, event, event, to);
  }
  clause_begin(c);
  clause_or(c, outside(c, place_of(c, to)));
  for (uint32_t i = from; i < x->pairs; i++) clause_or(c, pairing_at(c, x, i)->holds);
  clause_end(c);
}

/* At `place` the token has been taken, unless `guard` holds. */
static void taken_at(struct causal *c, const struct object *x, uint32_t token, uint32_t place, struct order_lit guard) {
  vec_clear(&c->alternatives);
  *vec_push(&c->alternatives) = guard;
  if (token < c->n && !before(c, place_of(c, token), place)) *vec_push(&c->alternatives) = less(c, place, place_of(c, token));
  for (uint32_t i = 0; i < x->pairs; i++) {
    const struct pairing *p = pairing_at(c, x, i);
    if (p->from != token || before(c, place, place_of(c, p->to))) continue;
    struct order_lit l = order_var(c->order);
    clause2(c, order_not(l), p->holds);
    clause2(c, order_not(l), less(c, place_of(c, p->to), place));
    *vec_push(&c->alternatives) = l;
  }
  order_clause(c->order, c->alternatives.data, c->alternatives.count);
}

static void empty_at(struct causal *c, const struct object *x, uint32_t place, struct order_lit guard) {
  for (uint32_t i = 0; i < x->count; i++) taken_at(c, x, initial_token(c, i), place, guard);
  for (uint32_t i = x->first; i != NONE; i = c->operations.data[i].next) {
    uint32_t event = c->operations.data[i].event;
    if (c->trace[event].op == EVENT_SEM_POST && !before(c, place, place_of(c, event))) taken_at(c, x, event, place, guard);
  }
}

static uint32_t count_op(const struct causal *c, const struct object *x, enum event_op op) {
  uint32_t n = 0;
  for (uint32_t i = x->first; i != NONE; i = c->operations.data[i].next) n += c->trace[c->operations.data[i].event].op == op;
  return n;
}

void semaphore_build(struct causal *c, struct object *x) {
  follow_count(c, x);
  /* As many as nobody can use up are as good as any more. */
  uint32_t most = count_op(c, x, EVENT_SEM_WAIT) + (c->all - c->n) + 1;
  if (x->count > most) x->count = most;
  if (x->frozen) return;
  while (x->first != NONE && c->operations.data[x->first].event < c->prefix) x->first = c->operations.data[x->first].next;
  uint32_t waits = count_op(c, x, EVENT_SEM_WAIT);
  bool fails = count_op(c, x, EVENT_TRYFAIL) > 0, asked = false;
  for (uint32_t i = x->first; i != NONE; i = c->operations.data[i].next)
    asked |= c->trace[c->operations.data[i].event].flags & (EVENT_TRY | EVENT_TIMED);
  x->pair = (uint32_t)c->pairings.count;
  bool enough = c->all > c->n ? x->count > waits : x->count >= waits;
  if (enough && !fails && !asked) return; /* there is always one left */
  if (c->options.recorded) {
    semaphore_tally(c, x);
    return;
  }
  for (uint32_t i = x->first; i != NONE; i = c->operations.data[i].next)
    if (c->trace[c->operations.data[i].event].op == EVENT_SEM_WAIT) take(c, x, c->operations.data[i].event);
  for (uint32_t i = x->first; i != NONE; i = c->operations.data[i].next) {
    uint32_t place = place_of(c, c->operations.data[i].event);
    if (c->trace[c->operations.data[i].event].op == EVENT_TRYFAIL) empty_at(c, x, place, outside(c, place));
  }
}

/* Some token is there at the end, and nobody has taken it. */
static bool positive_at_end(struct causal *c, const struct object *x) {
  uint32_t posts = count_op(c, x, EVENT_SEM_POST), n = 0;
  vec_clear(&c->alternatives);
  uint32_t token = x->first;
  for (uint32_t i = 0; i < x->count + posts; i++) {
    uint32_t name = initial_token(c, i);
    if (i >= x->count) {
      while (c->trace[c->operations.data[token].event].op != EVENT_SEM_POST) token = c->operations.data[token].next;
      name = c->operations.data[token].event;
      token = c->operations.data[token].next;
    }
    struct order_lit l = order_var(c->order);
    if (name < c->n) clause2(c, order_not(l), inside(c, place_of(c, name)));
    for (uint32_t k = 0; k < x->pairs; k++) {
      const struct pairing *p = pairing_at(c, x, k);
      if (p->from == name) clause3(c, order_not(l), order_not(p->holds), outside(c, place_of(c, p->to)));
    }
    *vec_push(&c->alternatives) = l;
    n++;
  }
  order_clause(c->order, c->alternatives.data, c->alternatives.count);
  return n > 0;
}

bool semaphore_at_end(struct causal *c, const struct object *x, bool positive) {
  if (positive) return positive_at_end(c, x);
  empty_at(c, x, c->here, ORDER_FALSE);
  return true;
}

/* --- barriers --- */

/* The other arrival of its round that comes next behind `operation`, from the first one on if NONE. */
static uint32_t next_arrival(const struct causal *c, const struct object *x, uint32_t event, uint32_t operation) {
  uint32_t i = operation == NONE ? x->first : c->operations.data[operation].next;
  for (; i != NONE; i = c->operations.data[i].next) {
    uint32_t other = c->operations.data[i].event;
    if (other != event && c->trace[other].op == EVENT_BARRIER_ENTER && c->trace[other].value == c->trace[event].value) return i;
  }
  return NONE;
}

static uint32_t arrivals(const struct causal *c, const struct object *x, uint32_t event) {
  uint32_t n = 1;
  for (uint32_t i = next_arrival(c, x, event, NONE); i != NONE; i = next_arrival(c, x, event, i)) n++;
  return n;
}

/* Rounds can be told apart by their threads if just those come that a round takes. */
static void follow_rounds(struct causal *c, struct object *x) {
  struct tset threads = {0};
  x->count = 0;
  for (uint32_t i = x->first; i != NONE; i = c->operations.data[i].next) {
    const struct event *e = &c->trace[c->operations.data[i].event];
    tset_add(&threads, e->thread);
    if (e->op != EVENT_BARRIER_ENTER || !e->value2) continue;
    uint32_t n = arrivals(c, x, c->operations.data[i].event);
    if (x->count && x->count != n) x->frozen = true;
    x->count = n;
  }
  if (x->frozen || (x->count && tset_count(&threads) != x->count))
    object_freeze(c, x, "a barrier that more threads use than a round takes");
}

/* The arrival does not complete its round, unless `guard` holds: another one comes behind it. */
static bool not_last(struct causal *c, const struct object *x, uint32_t event, uint32_t place, struct order_lit guard) {
  clause_begin(c);
  clause_or(c, guard);
  for (uint32_t i = next_arrival(c, x, event, NONE); i != NONE; i = next_arrival(c, x, event, i))
    clause_or(c, less(c, place, place_of(c, c->operations.data[i].event)));
  bool possible = c->clause.count > 1;
  clause_end(c);
  return possible;
}

static bool is_last(struct causal *c, const struct object *x, uint32_t event, uint32_t place, struct order_lit guard) {
  if (arrivals(c, x, event) != x->count) return false;
  for (uint32_t i = next_arrival(c, x, event, NONE); i != NONE; i = next_arrival(c, x, event, i))
    clause2(c, guard, less(c, place_of(c, c->operations.data[i].event), place));
  return true;
}

static void keep_arrival(struct causal *c, const struct object *x, uint32_t event) {
  uint32_t place = place_of(c, event);
  if (!(c->trace[event].flags & EVENT_RESULT)) return;
  if (c->trace[event].value2)
    (void)is_last(c, x, event, place, outside(c, place));
  else if (x->count && arrivals(c, x, event) == x->count)
    (void)not_last(c, x, event, place, outside(c, place));
}

void barrier_build(struct causal *c, struct object *x) {
  follow_rounds(c, x);
  if (x->frozen) return;
  for (uint32_t i = x->first; i != NONE; i = c->operations.data[i].next) {
    uint32_t event = c->operations.data[i].event;
    if (event < c->prefix) continue;
    if (c->trace[event].op == EVENT_BARRIER_ENTER) {
      keep_arrival(c, x, event);
      continue;
    }
    for (uint32_t k = next_arrival(c, x, event, NONE); k != NONE; k = next_arrival(c, x, event, k)) {
      uint32_t other = c->operations.data[k].event;
      if (!before(c, place_of(c, other), place_of(c, event))) order_edge(c->order, place_of(c, other), place_of(c, event));
    }
  }
}

bool barrier_at_end(struct causal *c, const struct object *x, uint32_t event, bool completes) {
  if (completes) return is_last(c, x, event, c->end, ORDER_FALSE);
  if (arrivals(c, x, event) != x->count) return true;
  return not_last(c, x, event, c->end, ORDER_FALSE);
}
