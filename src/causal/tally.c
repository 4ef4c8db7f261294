/* Recorded runs: a semaphore's count is never negative. At each wait that is, the waits so far, itself included, are no more than what the
 * semaphore had and the posts so far. What a thread has taken, less what it has posted, is known for each of its operations; so at any
 * place it is a number that the thread's place tells, and the numbers of all threads are added. They are unary: a list of literals, "at
 * least so many" each, which hold if it is so; of a sum each is a Boolean. So what is too much is found by propagation. (That each wait
 * takes one token, and each token is taken once, says the same, but refuting it is the pigeonhole principle: the engine would try who takes
 * which.) */
#include "causal/internal.h"

/* `least`, and so many more as there are literals that have to hold: numbers.data[first .. first + n - 1]. In the trace, `seen`. */
struct unary {
  int64_t least, seen;
  uint32_t first, n;
};

/* What is counted: at the place of the event, waits as +1 and posts as -1, or the other way around; it must not come to more than `most`.
 */
struct tally {
  const struct object *object;
  uint32_t event;
  int64_t wait, most;
};

/* "At least `least` + k", for 0 <= k <= n. */
static struct order_lit at_least(const struct causal *c, const struct unary *u, uint32_t k) {
  return k ? c->numbers.data[u->first + k - 1] : ORDER_TRUE;
}

/* The thread's operations of which it is not known that they come before the place or behind it, after what those before come to. */
static void find_moments(struct causal *c, const struct tally *t, uint16_t slot) {
  uint32_t place = place_of(c, t->event);
  struct moment now = {.event = NONE, .next = NONE};
  vec_clear(&c->moments);
  for (uint32_t i = t->object->first; i != NONE; i = c->operations.data[i].next) {
    uint32_t event = c->operations.data[i].event, at = place_of(c, event);
    const struct event *e = &c->trace[event];
    if (c->info.data[event].slot != slot || e->op == EVENT_TRYFAIL) continue;
    if (event != t->event && before(c, place, at)) break;
    bool certain = event == t->event || before(c, at, place);
    now.next = event;
    if (!certain) *vec_push(&c->moments) = now;
    now.sum += e->op == EVENT_SEM_WAIT ? t->wait : -t->wait;
    now.event = certain ? NONE : event;
  }
  now.next = NONE;
  *vec_push(&c->moments) = now;
}

static void add_booleans(struct causal *c, struct unary *u) {
  for (uint32_t k = 1; k <= u->n; k++) {
    struct order_lit l = order_var(c->order);
    if (u->least + k <= u->seen) order_phase(c->order, l);
    *vec_push(&c->numbers) = l;
  }
}

/* What the thread's operations before the place come to. */
static struct unary count_thread(struct causal *c, const struct tally *t, uint16_t slot) {
  uint32_t place = place_of(c, t->event);
  find_moments(c, t, slot);
  struct unary u = {.least = c->moments.data[0].sum, .seen = c->moments.data[0].sum, .first = (uint32_t)c->numbers.count};
  int64_t greatest = u.least;
  for (size_t i = 1; i < c->moments.count; i++) {
    const struct moment *m = &c->moments.data[i];
    if (m->sum < u.least) u.least = m->sum;
    if (m->sum > greatest) greatest = m->sum;
    if (m->event <= t->event) u.seen = m->sum;
  }
  u.n = (uint32_t)(greatest - u.least);
  add_booleans(c, &u);
  for (size_t i = 0; i < c->moments.count; i++) {
    const struct moment *m = &c->moments.data[i];
    struct order_lit not_yet = m->event == NONE ? ORDER_FALSE : less(c, place, place_of(c, m->event));
    struct order_lit over = m->next == NONE ? ORDER_FALSE : less(c, place_of(c, m->next), place);
    for (uint32_t k = 1; k <= m->sum - u.least; k++) clause3(c, not_yet, over, at_least(c, &u, k));
  }
  return u;
}

static struct unary sum(struct causal *c, const struct unary *a, const struct unary *b) {
  struct unary u = {.least = a->least + b->least, .seen = a->seen + b->seen, .first = (uint32_t)c->numbers.count};
  u.n = a->n + b->n;
  add_booleans(c, &u);
  for (uint32_t i = 0; i <= a->n; i++)
    for (uint32_t k = 0; k <= b->n; k++)
      if (i + k > 0) clause3(c, order_not(at_least(c, a, i)), order_not(at_least(c, b, k)), at_least(c, &u, i + k));
  return u;
}

/* Unless `guard` holds, it all comes to no more than t->most. */
static void limit(struct causal *c, const struct tally *t, struct order_lit guard) {
  struct unary all = {0};
  vec_clear(&c->numbers);
  for (uint16_t slot = 0; slot < c->threads.count; slot++) {
    struct unary one = count_thread(c, t, slot);
    if (all.n && one.n) {
      all = sum(c, &all, &one);
      continue;
    }
    const struct unary *some = all.n ? &all : &one;
    all = (struct unary){.least = all.least + one.least, .seen = all.seen + one.seen, .first = some->first, .n = some->n};
  }
  int64_t lacks = t->most + 1 - all.least;
  if (lacks <= all.n) clause2(c, guard, order_not(at_least(c, &all, lacks > 0 ? (uint32_t)lacks : 0)));
}

void semaphore_tally(struct causal *c, const struct object *x) {
  for (uint32_t i = x->first; i != NONE; i = c->operations.data[i].next) {
    uint32_t event = c->operations.data[i].event;
    struct order_lit guard = outside(c, place_of(c, event));
    if (c->trace[event].op == EVENT_SEM_WAIT) limit(c, &(struct tally){x, event, 1, x->count}, guard);
    if (c->trace[event].op == EVENT_TRYFAIL) limit(c, &(struct tally){x, event, -1, -(int64_t)x->count}, guard);
  }
}
