#include <assert.h>

#include "order/search.h"

/* What a changed row costs, and an edge of a path, in clauses looked at. */
#define WORK_OF_ROW  4u
#define WORK_OF_EDGE 8u

/* A conflict in a clause; its literals are s->conflict. */
static bool clause_conflict(struct search *s, uint32_t ref) {
  struct clause *c = search_clause(s, ref);
  vec_clear(&s->conflict);
  for (uint32_t i = 0; i < c->size; i++) *vec_push(&s->conflict) = c->lits[i];
  s->tag = c->tag;
  if (ref & REF_LEARNT) c->support = (uint32_t)s->stats.conflicts;
  return false;
}

/* Finds another literal to watch than the false one, or what follows: true if the watch stays. */
static bool stays(struct search *s, uint32_t false_code, struct search_watch *w, bool *conflict) {
  struct clause *c = search_clause(s, w->ref);
  const int8_t *values = s->values.data;
  uint32_t other = c->lits[0] ^ c->lits[1] ^ false_code;
  w->blocker = other;
  if (values[other] > 0) return true;
  for (uint32_t i = 2; i < c->size; i++) {
    uint32_t code = c->lits[i];
    if (values[code] < 0) continue;
    c->lits[0] = other, c->lits[1] = code, c->lits[i] = false_code;
    *vec_push(&s->watches[code]) = (struct search_watch){w->ref, other};
    return false;
  }
  if (values[other] < 0)
    *conflict = true;
  else
    search_assign(s, other, w->ref);
  return true;
}

/* `code` has become false. */
static bool propagate_clauses(struct search *s, uint32_t code) {
  search_watches *list = &s->watches[code];
  struct search_watch *w = list->data, *end = w + list->count, *kept = w;
  bool conflict = false;
  s->stats.propagations++;
  s->stats.work += list->count;
  while (w < end && !conflict) {
    struct search_watch now = *w++;
    int8_t value = s->values.data[now.blocker];
    if (value > 0) {
      *kept++ = now;
    } else if (now.ref & REF_BINARY) {
      *kept++ = now;
      if (value < 0)
        conflict = true;
      else
        search_assign(s, now.blocker, now.ref);
    } else if (stays(s, code, &now, &conflict)) {
      *kept++ = now;
    }
  }
  uint32_t ref = conflict ? kept[-1].ref : 0;
  while (w < end) *kept++ = *w++;
  list->count = (size_t)(kept - list->data);
  return !conflict || clause_conflict(s, ref);
}

struct taker {
  struct search *s;
  bool conflict; /* where to: s->conflict or s->scratch */
};

static void take_label(void *to, uint32_t label) {
  struct taker *t = to;
  struct search *s = t->s;
  s->stats.work += WORK_OF_EDGE;
  if (label & LABEL_FACT) {
    uint32_t depth = label & ~LABEL_FACT;
    if (depth > s->tag) s->tag = depth;
  } else if (t->conflict) {
    *vec_push(&s->conflict) = label ^ 1;
  } else {
    *vec_push(&s->scratch) = label ^ 1;
  }
}

/* The partial order knows b <= a, but `code` says a < b. */
static bool order_conflict(struct search *s, uint32_t code) {
  uint32_t a = 0, b = 0;
  search_pair(s, code, &a, &b);
  vec_clear(&s->conflict);
  *vec_push(&s->conflict) = code ^ 1;
  s->tag = 0;
  porder_explain(&s->porder, b, a, take_label, &(struct taker){s, true});
  return false;
}

/* Makes the literals true that are in the list from `n` on and lie in (old, now]. */
static inline bool imply_list(struct search *s, uint32_t n, porder_pos old, porder_pos now) {
  const struct search_span *spans = s->spans.data;
  const int8_t *values = s->values.data;
  uint32_t above = search_last_above(spans, n, now);
  if (above) n = spans[above - 1].next;
  for (; n && spans[n - 1].pos > old; n = spans[n - 1].next) {
    int8_t value = values[n - 1];
    if (value < 0) return order_conflict(s, (n - 1) ^ 1);
    if (value == 0) search_assign(s, n - 1, REASON_THEORY);
  }
  return true;
}

/* What follows for the variables from the rows changed since `from`. */
static bool imply(struct search *s, uint32_t from) {
  const struct porder *p = &s->porder;
  const porder_pos *rows = p->rows.data, *olds = p->old.data;
  const uint32_t *heads = s->heads.data, *listed = s->listed.data;
  uint32_t chains = p->chains, stride = p->stride, count = (uint32_t)p->changes.count;
  for (uint32_t i = from; i < count; i++) {
    struct porder_change change = p->changes.data[i];
    const porder_pos *row = rows + (size_t)change.event * stride, *old = olds + (size_t)i * stride;
    for (uint32_t grown = change.grown & listed[change.event]; grown; grown &= grown - 1) {
      for (uint32_t c = (uint32_t)__builtin_ctz(grown); c < chains; c += 16) {
        if (row[c] != old[c] && !imply_list(s, heads[(size_t)change.event * chains + c], old[c], row[c])) return false;
      }
    }
  }
  return true;
}

void search_edge(struct search *s, uint32_t a, uint32_t b) {
  if (porder_before(&s->porder, b, a)) {
    search_set_bad(s, search_depth(s));
  } else if (!porder_before(&s->porder, a, b)) {
    uint32_t from = (uint32_t)s->porder.changes.count;
    porder_add(&s->porder, a, b, LABEL_FACT | search_depth(s));
    if (s->vars.count > 1 && !imply(s, from)) search_set_bad(s, search_depth(s));
    if (search_depth(s) == 0) porder_settle(&s->porder);
  }
}

static bool propagate_order(struct search *s, uint32_t code) {
  uint32_t a, b;
  if (s->vars.data[code >> 1].reason == REASON_THEORY) return true;
  if (!search_pair(s, code, &a, &b) || porder_before(&s->porder, a, b)) return true;
  if (porder_before(&s->porder, b, a)) return order_conflict(s, code);
  uint32_t from = (uint32_t)s->porder.changes.count, depth = search_depth(s);
  bool fact = search_level_now(s) == 0;
  porder_add(&s->porder, a, b, fact ? LABEL_FACT | depth : code);
  s->stats.row_changes += s->porder.changes.count - from;
  s->stats.work += WORK_OF_ROW * (s->porder.changes.count - from);
  bool fine = imply(s, from);
  if (fact && depth == 0) porder_settle(&s->porder);
  return fine;
}

bool search_propagate(struct search *s) {
  for (;;) {
    while (s->queue < s->trail.count) {
      if (!propagate_clauses(s, s->trail.data[s->queue++] ^ 1)) return false;
    }
    if (s->theory == s->trail.count) return true;
    if (!propagate_order(s, s->trail.data[s->theory++])) return false;
  }
}

void search_reason(struct search *s, uint32_t code) {
  uint32_t ref = s->vars.data[code >> 1].reason, a = 0, b = 0;
  vec_clear(&s->scratch);
  if (ref == REASON_THEORY) {
    search_pair(s, code, &a, &b);
    porder_explain(&s->porder, a, b, take_label, &(struct taker){s, false});
    return;
  }
  struct clause *c = search_clause(s, ref);
  if (ref & REF_LEARNT) c->support = (uint32_t)s->stats.conflicts;
  if (c->tag > s->tag) s->tag = c->tag;
  for (uint32_t i = 0; i < c->size; i++) {
    if (c->lits[i] != code) *vec_push(&s->scratch) = c->lits[i];
  }
}
