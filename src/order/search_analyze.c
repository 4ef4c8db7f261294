#include <assert.h>

#include "order/search.h"

static void raise_tag(struct search *s, uint32_t depth) {
  if (depth > s->tag) s->tag = depth;
}

/* Takes in one literal of a conflict or a reason; returns how many literals of the newest level that adds. */
static uint32_t take_literal(struct search *s, uint32_t code) {
  struct search_var *v = &s->vars.data[code >> 1];
  assert(s->values.data[code] < 0);
  if (v->level == 0) raise_tag(s, v->reason);
  if (v->seen || v->level == 0) return 0;
  v->seen = true;
  *vec_push(&s->clear) = code >> 1;
  search_bump(s, code >> 1);
  if (v->level == search_level_now(s)) return 1;
  *vec_push(&s->clause) = code;
  return 0;
}

/* The first unique implication point: resolves the newest literals away until one of the newest level is left. */
static void first_point(struct search *s) {
  uint32_t open = 0, code = 0;
  size_t at = s->trail.count;
  vec_clear(&s->clause);
  *vec_push(&s->clause) = 0;
  for (size_t i = 0; i < s->conflict.count; i++) open += take_literal(s, s->conflict.data[i]);
  assert(open > 0);
  for (;;) {
    do code = s->trail.data[--at];
    while (!s->vars.data[code >> 1].seen || s->vars.data[code >> 1].level != search_level_now(s));
    if (--open == 0) break;
    search_reason(s, code);
    for (size_t i = 0; i < s->scratch.count; i++) open += take_literal(s, s->scratch.data[i]);
  }
  s->clause.data[0] = code ^ 1;
}

/* Does the false literal `code` follow from others of the clause? Its reason's tag and facts are then part of what was used. */
static bool redundant(struct search *s, uint32_t code) {
  uint32_t reason = s->vars.data[code >> 1].reason, tag = s->tag;
  if (reason == REASON_NONE) return false;
  search_reason(s, code ^ 1);
  for (size_t i = 0; i < s->scratch.count; i++) {
    const struct search_var *v = &s->vars.data[s->scratch.data[i] >> 1];
    if (v->level == 0) raise_tag(s, v->reason);
    if (v->level == 0 || v->seen) continue;
    s->tag = tag;
    return false;
  }
  return true;
}

static void minimise(struct search *s) {
  size_t kept = 1;
  for (size_t i = 1; i < s->clause.count; i++) {
    if (!redundant(s, s->clause.data[i])) s->clause.data[kept++] = s->clause.data[i];
  }
  s->clause.count = kept;
}

/* How many decision levels the clause has; the literal of the greatest level but for the first comes second. Variables raise the tag. */
static uint32_t measure(struct search *s) {
  uint32_t distance = 0;
  s->stamp_now++;
  while (s->stamps.count <= search_level_now(s)) *vec_push(&s->stamps) = 0;
  for (size_t i = 0; i < s->clause.count; i++) {
    uint32_t code = s->clause.data[i];
    const struct search_var *v = &s->vars.data[code >> 1];
    raise_tag(s, v->depth);
    if (s->stamps.data[v->level] != s->stamp_now) distance++;
    s->stamps.data[v->level] = s->stamp_now;
    if (i < 2 || v->level <= s->vars.data[s->clause.data[1] >> 1].level) continue;
    s->clause.data[i] = s->clause.data[1];
    s->clause.data[1] = code;
  }
  return distance;
}

static void clear_seen(struct search *s) {
  for (size_t i = 0; i < s->clear.count; i++) s->vars.data[s->clear.data[i]].seen = false;
  vec_clear(&s->clear);
}

bool search_analyze(struct search *s) {
  s->stats.conflicts++;
  if (search_level_now(s) == 0) {
    search_set_bad(s, search_depth(s));
    return false;
  }
  first_point(s);
  minimise(s);
  uint32_t distance = measure(s);
  clear_seen(s);
  search_decay(s);
  if (s->clause.count == 1) {
    search_cancel(s, 0);
    *vec_push(&s->units) = (struct search_unit){s->clause.data[0], s->tag};
    search_assign(s, s->clause.data[0], REASON_NONE);
  } else {
    search_cancel(s, s->vars.data[s->clause.data[1] >> 1].level);
    uint32_t ref = search_learn(s, distance);
    search_assign(s, s->clause.data[0], ref);
  }
  return true;
}

/* Marks what the false literal rests on, from the newest to the oldest; what is left are assumptions, as only they have been decided. */
void search_core(struct search *s, uint32_t code) {
  vec_clear(&s->core);
  *vec_push(&s->core) = (struct order_lit){code};
  if (s->vars.data[code >> 1].level == 0) return;
  s->vars.data[code >> 1].seen = true;
  *vec_push(&s->clear) = code >> 1;
  for (size_t at = s->trail.count; at-- > s->marks.data[0];) {
    uint32_t true_code = s->trail.data[at];
    const struct search_var *v = &s->vars.data[true_code >> 1];
    if (!v->seen) continue;
    if (v->reason == REASON_NONE) {
      if (true_code != code) *vec_push(&s->core) = (struct order_lit){true_code};
      continue;
    }
    search_reason(s, true_code);
    for (size_t i = 0; i < s->scratch.count; i++) {
      uint32_t var = s->scratch.data[i] >> 1;
      if (s->vars.data[var].level == 0 || s->vars.data[var].seen) continue;
      s->vars.data[var].seen = true;
      *vec_push(&s->clear) = var;
    }
  }
  clear_seen(s);
}
