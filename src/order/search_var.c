#include <assert.h>
#include <string.h>

#include "order/search.h"

#define SLOTS_LEAST 256u

static inline uint32_t slot_of(const struct search *s, uint32_t a, uint32_t b) {
  uint64_t h = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u;
  return (uint32_t)(h >> 32) & (s->slots_cap - 1);
}

static void slot_put(struct search *s, uint32_t var) {
  uint32_t a = s->vars.data[var].a, b = s->vars.data[var].b, i = slot_of(s, a, b);
  while (s->slots[i].stamp == s->stamp) i = (i + 1) & (s->slots_cap - 1);
  s->slots[i] = (struct search_slot){a, b, s->stamp, var};
  s->slots_used++;
}

/* Pairs go in again in the order of their variables, so that taking them out newest first leaves no holes in a run of slots. */
static void slots_grow(struct search *s) {
  uint32_t cap = s->slots_cap;
  mem_free(s->slots, cap * sizeof *s->slots);
  s->slots_cap = cap ? cap * 2 : SLOTS_LEAST;
  s->slots = mem_alloc(s->slots_cap * sizeof *s->slots);
  s->slots_used = 0;
  for (uint32_t v = 0; v < s->vars.count; v++) {
    if (s->vars.data[v].a != NO_EVENT) slot_put(s, v);
  }
}

static void slot_take_out(struct search *s, uint32_t var) {
  uint32_t i = slot_of(s, s->vars.data[var].a, s->vars.data[var].b);
  while (s->slots[i].var != var || s->slots[i].stamp != s->stamp) i = (i + 1) & (s->slots_cap - 1);
  s->slots[i].stamp = 0;
  s->slots_used--;
}

static uint32_t *span_list(struct search *s, uint32_t at, uint32_t other) {
  return &s->heads.data[(size_t)at * s->porder.chains + s->porder.events.data[other].chain];
}

/* One of 32, whichever: codes come in no order that lists have. */
static bool is_station(uint32_t code) { return (uint32_t)(code * 0x9e3779b1u) >> 27 == 0; }

/* The spans in front of the station `code`, back to the one before it, name `next` (code + 1) as their next station. */
static void name_station(struct search *s, uint32_t n, uint32_t code, uint32_t next) {
  struct search_span *spans = s->spans.data;
  while (spans[n - 1].station && spans[spans[n - 1].station - 1].pos > spans[code].pos) n = spans[n - 1].station;
  for (; n && spans[n - 1].pos > spans[code].pos; n = spans[n - 1].next) spans[n - 1].station = next;
}

/* `code` says other < at. */
static void span_insert(struct search *s, uint32_t code, uint32_t at, uint32_t other) {
  struct search_span *spans = s->spans.data;
  porder_pos pos = s->porder.events.data[other].pos;
  s->listed.data[at] |= 1u << s->porder.events.data[other].chain % 16;
  uint32_t *head = span_list(s, at, other), above = search_last_above(spans, *head, pos);
  uint32_t *link = above ? &spans[above - 1].next : head, next = *link;
  uint32_t station = !next || is_station(next - 1) ? next : spans[next - 1].station;
  spans[code] = (struct search_span){next, station, pos};
  *link = code + 1;
  if (is_station(code)) name_station(s, *head, code, code + 1);
}

static void span_remove(struct search *s, uint32_t code, uint32_t at, uint32_t other) {
  struct search_span *spans = s->spans.data;
  uint32_t *head = span_list(s, at, other), above = search_last_above(spans, *head, spans[code].pos);
  if (is_station(code)) name_station(s, *head, code, spans[code].station);
  *(above ? &spans[above - 1].next : head) = spans[code].next;
}

static uint32_t var_new(struct search *s, uint32_t a, uint32_t b, bool phase) {
  uint32_t v = (uint32_t)s->vars.count;
  *vec_push(&s->vars) = (struct search_var){.a = a, .b = b};
  *vec_push(&s->ranks) = (struct search_rank){.depth = search_depth(s), .phase = phase, .saved = phase};
  memset(vec_push_n(&s->values, 2), 0, 2);
  (void)vec_push_n(&s->spans, 2);
  memset(vec_push_n(&s->supported, 2), 0, 2 * sizeof(uint32_t));
  if (s->watches_cap < 2 * (v + 1)) {
    uint32_t cap = 4 * (v + 1);
    s->watches = mem_realloc(s->watches, s->watches_cap * sizeof *s->watches, cap * sizeof *s->watches);
    s->watches_cap = cap;
  }
  vec_clear(&s->watches[2 * v]);
  vec_clear(&s->watches[2 * v + 1]);
  vec_reserve(&s->trail, s->vars.count - s->trail.count);
  s->heap_full = false;
  return v;
}

uint32_t search_boolean(struct search *s) {
  uint32_t v = var_new(s, NO_EVENT, NO_EVENT, false);
  *vec_push(&s->booleans) = v;
  return 2 * v;
}

/* The variable of a pair has the event first observed first, so that its positive literal is what was observed. */
uint32_t search_less(struct search *s, uint32_t a, uint32_t b, bool decided) {
  assert(a != b && a < s->porder.events.count && b < s->porder.events.count);
  if (decided && porder_before(&s->porder, a, b)) return ORDER_TRUE.code;
  if (decided && porder_before(&s->porder, b, a)) return ORDER_FALSE.code;
  uint32_t swapped = b < a, first = swapped ? b : a, second = swapped ? a : b;
  if (2 * (s->slots_used + 1) > s->slots_cap) slots_grow(s);
  for (uint32_t i = slot_of(s, first, second); s->slots[i].stamp == s->stamp; i = (i + 1) & (s->slots_cap - 1)) {
    if (s->slots[i].a == first && s->slots[i].b == second) return 2 * s->slots[i].var + swapped;
  }
  uint32_t v = var_new(s, first, second, true);
  slot_put(s, v);
  span_insert(s, 2 * v, second, first);
  span_insert(s, 2 * v + 1, first, second);
  return 2 * v + swapped;
}

void search_forget_vars(struct search *s, uint32_t count) {
  while (s->vars.count > count) {
    uint32_t v = (uint32_t)s->vars.count - 1;
    const struct search_var *var = &s->vars.data[v];
    if (s->ranks.data[v].heap) search_heap_remove(s, v);
    if (var->a == NO_EVENT) {
      (void)vec_pop(&s->booleans);
    } else {
      span_remove(s, 2 * v + 1, var->a, var->b);
      span_remove(s, 2 * v, var->b, var->a);
      slot_take_out(s, v);
    }
    s->vars.count = s->ranks.count = v;
  }
  s->values.count = s->spans.count = s->supported.count = 2 * (size_t)count;
}

/* Clauses that rest on the Boolean's phase keep it where it is. */
void search_phase(struct search *s, uint32_t code) {
  if (s->vars.data[code >> 1].a != NO_EVENT || code <= 1) return;
  struct search_rank *r = &s->ranks.data[code >> 1];
  r->saved = !(code & 1);
  if (!s->supported.data[code ^ 1]) r->phase = r->saved;
}
