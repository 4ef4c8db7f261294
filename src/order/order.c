#include "order/order.h"

#include <assert.h>
#include <time.h>

#include "base/err.h"
#include "base/mem.h"
#include "order/order_z3.h"
#include "order/record.h"
#include "order/search.h"

struct order {
  struct search search; /* for Z3: the table of variables alone */
  struct order_z3 *z3;
  struct order_record *record, *record_next; /* next: from order_clear() on */
};

struct order *order_new(enum order_kind kind, struct diag *d) {
  struct order_z3 *z3 = NULL;
  if (kind != ORDER_ENGINE && !(z3 = order_z3_new(kind == ORDER_Z3_SPARSE, d))) return NULL;
  struct order *o = mem_alloc(sizeof *o);
  o->z3 = z3;
  order_clear(o, 0);
  return o;
}

void order_free(struct order *o) {
  if (!o) return;
  order_z3_free(o->z3);
  search_release(&o->search);
  mem_free(o, sizeof *o);
}

/* Recording. */

static struct record_step *note(struct order *o, enum record_op op, uint32_t a, uint32_t b) {
  struct record_step *s = vec_push(&o->record->steps);
  *s = (struct record_step){.op = op, .a = a, .b = b, .lits = (uint32_t)o->record->lits.count};
  return s;
}

static struct record_lit lit_of(const struct order *o, struct order_lit l) {
  struct record_lit r;
  if (search_pair(&o->search, l.code, &r.a, &r.b)) return r;
  r = (struct record_lit){l.code & 1 ? RECORD_IS_NOT : RECORD_IS, RECORD_TRUE};
  for (uint32_t i = 0; i < o->search.booleans.count; i++) {
    if (o->search.booleans.data[i] == l.code >> 1) r.b = i;
  }
  return r;
}

static void note_lits(struct order *o, enum record_op op, const struct order_lit *lits, size_t n, uint32_t a) {
  struct record_step *s = note(o, op, a, 0);
  s->count = (uint32_t)n;
  for (size_t i = 0; i < n; i++) *vec_push(&o->record->lits) = lit_of(o, lits[i]);
}

static void note_known(struct order *o, struct order_lit l, uint32_t a, uint32_t b) {
  note(o, RECORD_KNOWN, 0, 0)->count = 1;
  *vec_push(&o->record->lits) = l.code == ORDER_TRUE.code ? (struct record_lit){a, b} : (struct record_lit){b, a};
}

void order_record_to(struct order *o, struct order_record *r) { o->record_next = r; }

static struct {
  struct order_record *(*record)(void *data);
  void *data;
} each;

void order_record_each(struct order_record *(*record)(void *data), void *data) { each.record = record, each.data = data; }

/* The problem. */

void order_clear(struct order *o, uint32_t chains) {
  search_clear(&o->search, chains);
  o->record = o->record_next || !each.record ? o->record_next : each.record(each.data);
  if (o->record) note(o, RECORD_CHAINS, chains, 0);
  if (o->z3) order_z3_clear(o->z3);
}

uint32_t order_event(struct order *o, uint32_t chain) {
  search_cancel(&o->search, 0);
  if (o->record) note(o, RECORD_EVENT, chain, 0);
  porder_members *members = &o->search.porder.members[chain];
  uint32_t before = members->count ? vec_last(members) : PORDER_NONE, e = search_event(&o->search, chain);
  if (o->z3) order_z3_event(o->z3, before);
  return e;
}

void order_edge(struct order *o, uint32_t a, uint32_t b) {
  search_cancel(&o->search, 0);
  if (o->record) note(o, RECORD_EDGE, a, b);
  if (o->z3)
    order_z3_edge(o->z3, a, b);
  else
    search_edge(&o->search, a, b);
}

bool order_before(struct order *o, uint32_t a, uint32_t b) {
  search_cancel(&o->search, 0);
  return porder_before(&o->search.porder, a, b);
}

struct order_lit order_less(struct order *o, uint32_t a, uint32_t b) {
  search_cancel(&o->search, 0);
  struct order_lit l = {search_less(&o->search, a, b, !o->z3)};
  if (o->record && l.code <= 1) note_known(o, l, a, b);
  return l;
}

struct order_lit order_var(struct order *o) {
  search_cancel(&o->search, 0);
  if (o->record) note(o, RECORD_VAR, 0, 0);
  return (struct order_lit){search_boolean(&o->search)};
}

void order_phase(struct order *o, struct order_lit l) {
  if (o->record) note_lits(o, RECORD_PHASE, &l, 1, 0);
  search_phase(&o->search, l.code);
}

void order_clause(struct order *o, const struct order_lit *lits, size_t n) {
  search_cancel(&o->search, 0);
  if (o->record) note_lits(o, RECORD_CLAUSE, lits, n, 0);
  if (o->z3)
    order_z3_clause(o->z3, &o->search, lits, n);
  else
    search_add(&o->search, lits, n);
}

void order_implies(struct order *o, struct order_lit l, uint32_t a, uint32_t b) {
  struct order_lit lits[] = {order_not(l), order_less(o, a, b)};
  order_clause(o, lits, 2);
}

void order_push(struct order *o) {
  if (o->record) note(o, RECORD_PUSH, 0, 0);
  search_push(&o->search);
  if (o->z3) order_z3_push(o->z3);
}

void order_pop(struct order *o) {
  if (o->record) note(o, RECORD_POP, 0, 0);
  search_pop(&o->search);
  if (o->z3) order_z3_pop(o->z3, &o->search);
}

/* Answers. */

/* A recorded answer is checked by definition; recording is for that, or slow anyway. */
static bool answer_is_right(struct order *o) {
  VEC(uint32_t) linear = {0};
  VEC(bool) booleans = {0};
  order_linear(o, vec_push_n(&linear, order_count(o) + 1));
  for (size_t i = 0; i < o->search.booleans.count; i++) {
    bool value = order_value(o, (struct order_lit){2 * o->search.booleans.data[i]});
    *vec_push(&booleans) = value;
  }
  bool right = order_check(o->record, o->record->steps.count, linear.data, booleans.data, NULL);
  vec_release(&linear);
  vec_release(&booleans);
  return right;
}

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

enum order_answer order_solve(struct order *o, const struct order_lit *assumptions, size_t n, uint64_t budget) {
  enum order_answer answer;
  uint64_t begun = now();
  if (o->z3)
    answer = order_z3_solve(o->z3, &o->search, assumptions, n, budget);
  else
    answer = search_solve(&o->search, assumptions, n, budget);
  o->search.stats.nanoseconds += now() - begun;
  if (!o->record) return answer;
  note_lits(o, RECORD_SOLVE, assumptions, n, answer);
  bool right = answer != ORDER_YES || answer_is_right(o);
  assert(right);
  (void)right;
  return answer;
}

size_t order_core(const struct order *o, const struct order_lit **core) {
  *core = o->search.core.data;
  return o->search.core.count;
}

bool order_value(struct order *o, struct order_lit l) {
  if (o->z3) return order_z3_value(o->z3, &o->search, l);
  assert(o->search.answer == ORDER_YES);
  uint32_t a, b;
  if (search_pair(&o->search, l.code, &a, &b)) search_linear(&o->search, NULL);
  return search_holds(&o->search, l.code);
}

void order_linear(struct order *o, uint32_t *out) {
  assert(o->search.answer == ORDER_YES);
  if (o->z3)
    order_z3_linear(o->z3, &o->search, out);
  else
    search_linear(&o->search, out);
}

uint32_t order_count(const struct order *o) { return (uint32_t)o->search.porder.events.count; }
struct order_stats order_stats(const struct order *o) {
  struct order_stats stats = o->search.stats;
  stats.effort = search_effort(&o->search);
  return stats;
}
