/* Condition variables (docs/model.md, Waits). Whom a notification wakes is a result like any other, and stays as it was; but
 * it is the thread that counts, not which of its waits: signals may swap their roles. */
#include "causal/internal.h"

static struct wait *wait_at(const struct causal *c, const struct object *x, uint32_t i) { return &c->waits.data[x->part + i]; }
static struct pairing *pairing_at(const struct causal *c, const struct object *x, uint32_t i) { return &c->pairings.data[x->pair + i]; }
static uint32_t tid_of(const struct causal *c, uint16_t slot) { return c->threads.data[slot].tid; }
static bool wakes(const struct event *e, uint32_t tid) { return tid < 64 && (e->value >> tid & 1); }
/* May the notification wake a wait of that thread? */
static bool may_wake(const struct causal *c, const struct event *e, uint32_t tid) { return c->options.recorded || wakes(e, tid); }
bool is_notification(const struct event *e) { return e->op == EVENT_SIGNAL || e->op == EVENT_BROADCAST; }

static struct wait *last_wait(const struct causal *c, const struct object *x, uint16_t slot) {
  for (uint32_t i = x->parts; i-- > 0;)
    if (wait_at(c, x, i)->slot == slot) return wait_at(c, x, i);
  return NULL;
}

/* Does the trace's notification wake those that wait there, as the model understands it? */
static bool follow_notification(struct causal *c, struct object *x, uint32_t event) {
  const struct event *e = &c->trace[event];
  uint64_t left = e->value;
  bool lost = e->op == EVENT_BROADCAST || e->value == 0;
  for (uint32_t i = 0; i < x->parts; i++) {
    struct wait *w = wait_at(c, x, i);
    if (w->leave != NONE || w->woken) continue;
    if (wakes(e, tid_of(c, w->slot)))
      w->woken = true, w->settled = event < c->prefix, left &= ~(1ull << tid_of(c, w->slot));
    else if (lost)
      return false;
  }
  return left == 0 && (e->op == EVENT_BROADCAST || (e->value & (e->value - 1)) == 0);
}

static bool follow_leave(struct causal *c, struct object *x, uint32_t event) {
  struct wait *w = last_wait(c, x, c->info.data[event].slot);
  if (!w || w->leave != NONE) return false;
  w->leave = event;
  if (event < c->prefix) w->settled = true;
  w->expired = c->trace[event].flags & EVENT_TIMED_OUT;
  return c->options.recorded || w->expired != w->woken;
}

static void find_waits(struct causal *c, struct object *x) {
  x->part = (uint32_t)c->waits.count;
  for (uint32_t i = x->first; i != NONE; i = c->operations.data[i].next) {
    uint32_t event = c->operations.data[i].event;
    const struct event *e = &c->trace[event];
    uint16_t slot = c->info.data[event].slot;
    if (e->op == EVENT_WAIT_ENTER) {
      *vec_push(&c->waits) = (struct wait){.enter = event, .leave = NONE, .slot = slot, .woken_by = ORDER_FALSE};
      x->parts++;
      if (e->thread >= 64 && !c->options.recorded) object_freeze(c, x, "a waiting thread of tid 64 or more");
    }
    if (is_notification(e) && !c->options.recorded && !follow_notification(c, x, event))
      object_freeze(c, x, "a notification whose waiters are not known");
    if (e->op == EVENT_WAIT_LEAVE && !follow_leave(c, x, event)) object_freeze(c, x, "a wait that ended without a reason in the trace");
  }
}

/* "The notification at `place` comes while the wait is in the queue", as a literal. */
static struct order_lit during(struct causal *c, const struct wait *w, uint32_t place) {
  struct order_lit l = order_var(c->order);
  clause2(c, order_not(l), less(c, place_of(c, w->enter), place));
  if (w->leave != NONE) clause2(c, order_not(l), less(c, place, place_of(c, w->leave)));
  return l;
}

static bool may_be_during(const struct causal *c, const struct wait *w, uint32_t place) {
  return !before(c, place, place_of(c, w->enter)) && !(w->leave != NONE && before(c, place_of(c, w->leave), place));
}

/* At most one of a list of literals, which come one by one, holds: `l` is the next, `some` says that an earlier one does. */
static void at_most_one(struct causal *c, struct order_lit *some, struct order_lit l) {
  struct order_lit now = order_var(c->order);
  clause2(c, order_not(l), order_not(*some));
  clause2(c, order_not(l), now);
  clause2(c, order_not(*some), now);
  *some = now;
}

/* Who may wake whom. Two notifications do not wake the same wait, nor one signal two waits. */
static void find_pairings(struct causal *c, struct object *x) {
  x->pair = (uint32_t)c->pairings.count;
  for (uint32_t i = x->first; i != NONE; i = c->operations.data[i].next) {
    uint32_t event = c->operations.data[i].event, place = place_of(c, event);
    if (!is_notification(&c->trace[event]) || event < c->prefix) continue;
    bool one = c->options.recorded && c->trace[event].op == EVENT_SIGNAL;
    struct order_lit wakes_one = ORDER_FALSE;
    for (uint32_t k = 0; k < x->parts; k++) {
      struct wait *w = wait_at(c, x, k);
      if (w->settled || !may_wake(c, &c->trace[event], tid_of(c, w->slot)) || !may_be_during(c, w, place)) continue;
      struct order_lit l = during(c, w, place);
      if (w->expired) clause2(c, order_not(l), outside(c, place_of(c, w->leave)));
      at_most_one(c, &w->woken_by, l);
      if (one) at_most_one(c, &wakes_one, l);
      *vec_push(&c->pairings) = (struct pairing){event, k, l};
      x->pairs++;
    }
  }
}

/* At `place` the wait is not in the queue, unless `guard` holds: it is still to begin, or has ended, or was woken before. */
static void not_waiting(struct causal *c, const struct object *x, uint32_t wait, uint32_t place, struct order_lit guard) {
  const struct wait *w = wait_at(c, x, wait);
  if (w->settled || !may_be_during(c, w, place)) return;
  vec_clear(&c->alternatives);
  *vec_push(&c->alternatives) = guard;
  if (!before(c, place_of(c, w->enter), place)) *vec_push(&c->alternatives) = less(c, place, place_of(c, w->enter));
  if (w->expired) *vec_push(&c->alternatives) = less(c, place_of(c, w->leave), place);
  for (uint32_t i = 0; i < x->pairs; i++) {
    const struct pairing *p = pairing_at(c, x, i);
    if (p->to != wait || place_of(c, p->from) == place || before(c, place, place_of(c, p->from))) continue;
    struct order_lit l = order_var(c->order);
    clause2(c, order_not(l), p->holds);
    clause2(c, order_not(l), less(c, place_of(c, p->from), place));
    *vec_push(&c->alternatives) = l;
  }
  order_clause(c->order, c->alternatives.data, c->alternatives.count);
}

/* The notification wakes whom it woke in the trace. */
static void keep_notification(struct causal *c, const struct object *x, uint32_t event) {
  const struct event *e = &c->trace[event];
  uint32_t place = place_of(c, event);
  struct order_lit guard = outside(c, place);
  for (uint64_t rest = e->value; rest; rest &= rest - 1) {
    uint32_t tid = (uint32_t)__builtin_ctzll(rest);
    vec_clear(&c->alternatives);
    *vec_push(&c->alternatives) = guard;
    for (uint32_t i = 0; i < x->pairs; i++) {
      const struct pairing *p = pairing_at(c, x, i);
      if (p->from == event && tid_of(c, wait_at(c, x, p->to)->slot) == tid) *vec_push(&c->alternatives) = p->holds;
    }
    order_clause(c->order, c->alternatives.data, c->alternatives.count);
  }
  if (e->op == EVENT_SIGNAL && e->value) return;
  for (uint32_t i = 0; i < x->parts; i++)
    if (!wakes(e, tid_of(c, wait_at(c, x, i)->slot))) not_waiting(c, x, i, place, guard);
}

static void keep_leave(struct causal *c, const struct object *x, uint32_t wait) {
  const struct wait *w = wait_at(c, x, wait);
  if (w->settled || w->leave == NONE || w->expired) return;
  vec_clear(&c->alternatives);
  *vec_push(&c->alternatives) = outside(c, place_of(c, w->leave));
  for (uint32_t i = 0; i < x->pairs; i++)
    if (pairing_at(c, x, i)->to == wait) *vec_push(&c->alternatives) = pairing_at(c, x, i)->holds;
  order_clause(c->order, c->alternatives.data, c->alternatives.count);
}

/* Recorded runs: at the notification nobody waits whom it does not wake; of a signal: if it wakes nobody. */
static void wake_somebody(struct causal *c, const struct object *x, uint32_t event) {
  uint32_t place = place_of(c, event);
  bool all = c->trace[event].op == EVENT_BROADCAST;
  for (uint32_t i = 0; i < x->parts; i++) {
    struct order_lit woken = order_var(c->order);
    clause_begin(c);
    clause_or(c, order_not(woken));
    clause_or(c, outside(c, place));
    for (uint32_t k = 0; k < x->pairs; k++) {
      const struct pairing *p = pairing_at(c, x, k);
      if (p->from == event && (p->to == i || !all)) clause_or(c, p->holds);
    }
    clause_end(c);
    not_waiting(c, x, i, place, woken);
  }
}

/* Recorded runs. That a notification has to wake somebody matters where a wait ended without: else it does no harm that it may. */
static void build_recorded(struct causal *c, struct object *x) {
  bool expired = false;
  find_pairings(c, x);
  for (uint32_t i = 0; i < x->parts; i++) {
    keep_leave(c, x, i);
    expired |= wait_at(c, x, i)->expired;
  }
  for (uint32_t i = x->first; expired && i != NONE; i = c->operations.data[i].next)
    if (is_notification(&c->trace[c->operations.data[i].event])) wake_somebody(c, x, c->operations.data[i].event);
}

void condition_build(struct causal *c, struct object *x) {
  find_waits(c, x);
  if (x->frozen) return;
  if (c->options.recorded) {
    build_recorded(c, x);
    return;
  }
  find_pairings(c, x);
  for (uint32_t i = x->first; i != NONE; i = c->operations.data[i].next)
    if (c->operations.data[i].event >= c->prefix && is_notification(&c->trace[c->operations.data[i].event]))
      keep_notification(c, x, c->operations.data[i].event);
  for (uint32_t i = 0; i < x->parts; i++) keep_leave(c, x, i);
}

/* At the end, no notification that is part of the witness has woken the wait. */
static void not_woken(struct causal *c, const struct object *x, uint32_t wait) {
  for (uint32_t i = 0; i < x->pairs; i++) {
    const struct pairing *p = pairing_at(c, x, i);
    if (p->to == wait) clause2(c, order_not(p->holds), outside(c, place_of(c, p->from)));
  }
}

/* At the end, one of the thread's waits is in the queue and not woken. */
static bool waiting_at_end(struct causal *c, const struct object *x, uint32_t tid) {
  uint32_t n = 0;
  clause_begin(c);
  for (uint32_t i = 0; i < x->parts; i++) {
    const struct wait *w = wait_at(c, x, i);
    if (w->settled || tid_of(c, w->slot) != tid || !may_be_during(c, w, c->end)) continue;
    struct order_lit l = during(c, w, c->end);
    for (uint32_t k = 0; k < x->pairs; k++) {
      const struct pairing *p = pairing_at(c, x, k);
      if (p->to == i) clause3(c, order_not(l), order_not(p->holds), outside(c, place_of(c, p->from)));
    }
    clause_or(c, l);
    n++;
  }
  clause_end(c);
  return n > 0;
}

bool condition_wakes_at_end(struct causal *c, const struct object *x, uint32_t event, uint64_t set) {
  for (uint64_t rest = set; rest; rest &= rest - 1)
    if (!waiting_at_end(c, x, (uint32_t)__builtin_ctzll(rest))) return false;
  if (set && c->trace[event].op == EVENT_SIGNAL) return (set & (set - 1)) == 0;
  for (uint32_t i = 0; i < x->parts; i++)
    if (!(set >> tid_of(c, wait_at(c, x, i)->slot) & 1)) not_waiting(c, x, i, c->end, ORDER_FALSE);
  return true;
}

uint32_t condition_wait(const struct causal *c, const struct object *x, uint32_t leave) {
  for (uint32_t i = 0; i < x->parts; i++)
    if (wait_at(c, x, i)->leave == (leave < c->n ? leave : NONE) && wait_at(c, x, i)->slot == c->info.data[leave].slot) return x->part + i;
  return NONE;
}

bool condition_woken_at_end(struct causal *c, const struct object *x, uint32_t leave, bool woken) {
  uint32_t wait = condition_wait(c, x, leave);
  if (wait == NONE) return false;
  if (c->waits.data[wait].settled) return woken;
  wait -= x->part;
  if (!woken) {
    not_woken(c, x, wait);
    return true;
  }
  clause_begin(c);
  for (uint32_t i = 0; i < x->pairs; i++) {
    const struct pairing *p = pairing_at(c, x, i);
    if (p->to != wait) continue;
    struct order_lit l = order_var(c->order);
    clause2(c, order_not(l), p->holds);
    clause2(c, order_not(l), inside(c, place_of(c, p->from)));
    clause_or(c, l);
  }
  bool possible = c->clause.count > 0;
  clause_end(c);
  return possible;
}
