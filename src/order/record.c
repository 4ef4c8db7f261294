#include "order/record.h"

#include <assert.h>
#include <string.h>

void order_record_clear(struct order_record *r) {
  vec_clear(&r->steps);
  vec_clear(&r->lits);
}

void order_record_release(struct order_record *r) {
  vec_release(&r->steps);
  vec_release(&r->lits);
}

void order_record_active(const struct order_record *r, size_t count, record_active *out) {
  VEC(uint32_t) levels = {0};
  for (size_t i = 0; i < count; i++) {
    enum record_op op = r->steps.data[i].op;
    if (op == RECORD_CHAINS)
      out->count = levels.count = 0;
    else if (op == RECORD_PUSH)
      *vec_push(&levels) = (uint32_t)out->count;
    else if (op == RECORD_POP)
      out->count = vec_pop(&levels);
    else if (op != RECORD_SOLVE && op != RECORD_PHASE)
      *vec_push(out) = (uint32_t)i;
  }
  vec_release(&levels);
}

/* What an answer is looked up in. */
struct reading {
  const struct order_record *record;
  const uint32_t *place; /* of each event */
  const bool *booleans;
};

static bool holds(const struct reading *g, struct record_lit l) {
  if (l.a == RECORD_IS || l.a == RECORD_IS_NOT) return (l.b == RECORD_TRUE || g->booleans[l.b]) == (l.a == RECORD_IS);
  return g->place[l.a] < g->place[l.b];
}

static bool some_holds(const struct reading *g, const struct record_step *s) {
  for (uint32_t i = 0; i < s->count; i++) {
    if (holds(g, g->record->lits.data[s->lits + i])) return true;
  }
  return false;
}

static bool all_hold(const struct reading *g, const struct record_step *s) {
  for (uint32_t i = 0; i < s->count; i++) {
    if (!holds(g, g->record->lits.data[s->lits + i])) return false;
  }
  return true;
}

static bool step_holds(const struct reading *g, const struct record_step *s) {
  if (s->op == RECORD_EDGE) return g->place[s->a] < g->place[s->b];
  if (s->op == RECORD_CLAUSE) return some_holds(g, s);
  return s->op != RECORD_KNOWN || all_hold(g, s);
}

/* Chains' events come in order; and each event once, or places would be missing. */
static bool chains_hold(const struct order_record *r, const record_active *active, const uint32_t *place) {
  VEC(uint32_t) last = {0}; /* of each chain, the latest place + 1 */
  bool fine = true;
  uint32_t event = 0;
  for (size_t i = 0; i < active->count; i++) {
    const struct record_step *s = &r->steps.data[active->data[i]];
    if (s->op != RECORD_EVENT) continue;
    while (last.count <= s->a) *vec_push(&last) = 0;
    if (place[event] == UINT32_MAX || place[event] < last.data[s->a]) fine = false;
    last.data[s->a] = place[event++] + 1;
  }
  vec_release(&last);
  return fine;
}

static uint32_t count_events(const struct order_record *r, const record_active *active) {
  uint32_t n = 0;
  for (size_t i = 0; i < active->count; i++) n += r->steps.data[active->data[i]].op == RECORD_EVENT;
  return n;
}

bool order_check(const struct order_record *r, size_t count, const uint32_t *linear, const bool *booleans, struct text *why) {
  record_active active = {0};
  VEC(uint32_t) place = {0};
  order_record_active(r, count, &active);
  uint32_t events = count_events(r, &active);
  if (events) memset(vec_push_n(&place, events), 0xff, events * sizeof(uint32_t));
  bool fine = true;
  for (uint32_t i = 0; i < events; i++) {
    if (linear[i] < events) place.data[linear[i]] = i;
  }
  if (!chains_hold(r, &active, place.data)) {
    fine = false;
    if (why) text_puts(why, "the events are not all there, in the order of their chains");
  }
  struct reading reading = {r, place.data, booleans};
  for (size_t i = 0; fine && i < active.count; i++) {
    if (step_holds(&reading, &r->steps.data[active.data[i]])) continue;
    fine = false;
    if (why) text_printf(why, "step %u does not hold", active.data[i]);
  }
  const struct record_step *last = count ? &r->steps.data[count - 1] : NULL;
  if (fine && last && last->op == RECORD_SOLVE && !all_hold(&reading, last)) {
    fine = false;
    if (why) text_puts(why, "an assumption does not hold");
  }
  vec_release(&active);
  vec_release(&place);
  return fine;
}

/* A problem on its way from a record into an order object. */
struct replay {
  struct order *order;
  VEC(struct order_lit) booleans, lits;
  VEC(uint32_t) levels;
};

static void to_lits(struct replay *p, const struct order_record *r, const struct record_step *s) {
  vec_clear(&p->lits);
  for (uint32_t i = 0; i < s->count; i++) {
    struct record_lit l = r->lits.data[s->lits + i];
    struct order_lit code;
    if (l.a == RECORD_IS || l.a == RECORD_IS_NOT) {
      code = l.b == RECORD_TRUE ? ORDER_TRUE : p->booleans.data[l.b];
      if (l.a == RECORD_IS_NOT) code = order_not(code);
    } else {
      code = order_less(p->order, l.a, l.b);
    }
    *vec_push(&p->lits) = code;
  }
}

static void replay_step(struct replay *p, const struct order_record *r, const struct record_step *s) {
  struct order *o = p->order;
  switch (s->op) {
    case RECORD_CHAINS:
      p->booleans.count = p->levels.count = 0;
      order_clear(o, s->a);
      break;
    case RECORD_EVENT:
      (void)order_event(o, s->a);
      break;
    case RECORD_EDGE:
      order_edge(o, s->a, s->b);
      break;
    case RECORD_VAR:
      *vec_push(&p->booleans) = order_var(o);
      break;
    case RECORD_PHASE:
      to_lits(p, r, s);
      order_phase(o, p->lits.data[0]);
      break;
    case RECORD_CLAUSE:
      to_lits(p, r, s);
      order_clause(o, p->lits.data, p->lits.count);
      break;
    case RECORD_KNOWN:
      break;
    case RECORD_PUSH:
      *vec_push(&p->levels) = (uint32_t)p->booleans.count;
      order_push(o);
      break;
    case RECORD_POP:
      p->booleans.count = vec_pop(&p->levels);
      order_pop(o);
      break;
    case RECORD_SOLVE:
      to_lits(p, r, s);
      break;
  }
}

void order_replay(const struct order_record *r, struct order *o, uint64_t budget,
                  void (*asked)(void *to, const struct record_step *step, enum order_answer answer), void *to) {
  struct replay p = {.order = o};
  for (size_t i = 0; i < r->steps.count; i++) {
    const struct record_step *s = &r->steps.data[i];
    replay_step(&p, r, s);
    if (s->op == RECORD_SOLVE) asked(to, s, order_solve(o, p.lits.data, p.lits.count, budget));
  }
  vec_release(&p.booleans);
  vec_release(&p.lits);
  vec_release(&p.levels);
}
