#include <assert.h>

#include "order/search.h"

static void raise_tag(struct search *s, uint32_t depth) {
  if (depth > s->tag) s->tag = depth;
}

/* Marks a variable until clear_seen(). */
static void see(struct search *s, uint32_t var) {
  s->ranks.data[var].seen = true;
  *vec_push(&s->clear) = var;
}

static bool seen(const struct search *s, uint32_t code) { return s->ranks.data[code >> 1].seen; }

/* Takes in one literal of a conflict or a reason; returns how many literals of the newest level that adds. */
static uint32_t take_literal(struct search *s, uint32_t code) {
  const struct search_var *v = &s->vars.data[code >> 1];
  assert(s->values.data[code] < 0);
  if (v->level == 0) raise_tag(s, v->reason);
  if (v->level == 0 || seen(s, code)) return 0;
  see(s, code >> 1);
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
    while (!seen(s, code) || s->vars.data[code >> 1].level != search_level_now(s));
    if (--open == 0) break;
    search_reason(s, code);
    for (size_t i = 0; i < s->scratch.count; i++) open += take_literal(s, s->scratch.data[i]);
  }
  s->clause.data[0] = code ^ 1;
}

/* Deepest chain of reasons that is looked at for one literal of a clause. */
#define REDUNDANT_DEPTH 12u

/* Do the literals of s->stack from `from` on, all false, follow from literals of the clause? Their tags and facts are then part of what was
 * used, and stay in s->tag whatever else comes of it: what was found to follow is `seen`, and may be built upon. */
static bool redundant_all(struct search *s, size_t from, uint32_t depth);

/* Does the false literal `code` follow from literals of the clause? */
static bool redundant(struct search *s, uint32_t code, uint32_t depth) {
  if (s->vars.data[code >> 1].reason == REASON_NONE || depth > REDUNDANT_DEPTH) return false;
  size_t from = s->stack.count;
  search_reason(s, code ^ 1);
  for (size_t i = 0; i < s->scratch.count; i++) *vec_push(&s->stack) = s->scratch.data[i];
  bool all = redundant_all(s, from, depth + 1);
  s->stack.count = from;
  if (!all)
    s->ranks.data[code >> 1].mark = s->stamp_now;
  else if (!seen(s, code))
    see(s, code >> 1);
  return all;
}

static bool redundant_all(struct search *s, size_t from, uint32_t depth) {
  for (size_t i = from, end = s->stack.count; i < end; i++) {
    uint32_t code = s->stack.data[i];
    const struct search_var *v = &s->vars.data[code >> 1];
    if (v->level == 0) raise_tag(s, v->reason);
    if (v->level == 0 || seen(s, code)) continue;
    /* A literal of a level that the clause does not have cannot follow from it. */
    bool hopeless = s->ranks.data[code >> 1].mark == s->stamp_now || s->stamps.data[v->level] != s->stamp_now;
    if (hopeless || !redundant(s, code, depth)) return false;
  }
  return true;
}

/* A new stamp: no decision level and no variable has it. */
static void next_stamp(struct search *s) {
  if (++s->stamp_now == 0) {
    for (size_t i = 0; i < s->stamps.count; i++) s->stamps.data[i] = 0;
    for (size_t v = 0; v < s->ranks.count; v++) s->ranks.data[v].mark = 0;
    s->stamp_now = 1;
  }
  while (s->stamps.count <= search_level_now(s)) *vec_push(&s->stamps) = 0;
}

static void minimise(struct search *s) {
  size_t kept = 1;
  next_stamp(s);
  for (size_t i = 0; i < s->clause.count; i++) s->stamps.data[s->vars.data[s->clause.data[i] >> 1].level] = s->stamp_now;
  vec_clear(&s->stack);
  for (size_t i = 1; i < s->clause.count; i++) {
    if (!redundant(s, s->clause.data[i], 0)) s->clause.data[kept++] = s->clause.data[i];
  }
  s->clause.count = kept;
}

/* How many decision levels the clause has; the literal of the greatest level but for the first comes second. Variables raise the tag. */
static uint32_t measure(struct search *s) {
  uint32_t distance = 0;
  next_stamp(s);
  for (size_t i = 0; i < s->clause.count; i++) {
    uint32_t code = s->clause.data[i];
    const struct search_var *v = &s->vars.data[code >> 1];
    raise_tag(s, s->ranks.data[code >> 1].depth);
    if (s->stamps.data[v->level] != s->stamp_now) distance++;
    s->stamps.data[v->level] = s->stamp_now;
    if (i < 2 || v->level <= s->vars.data[s->clause.data[1] >> 1].level) continue;
    s->clause.data[i] = s->clause.data[1];
    s->clause.data[1] = code;
  }
  return distance;
}

static void clear_seen(struct search *s) {
  for (size_t i = 0; i < s->clear.count; i++) s->ranks.data[s->clear.data[i]].seen = false;
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
  see(s, code >> 1);
  for (size_t at = s->trail.count; at-- > s->marks.data[0];) {
    uint32_t truth = s->trail.data[at];
    if (!seen(s, truth)) continue;
    if (s->vars.data[truth >> 1].reason == REASON_NONE) {
      if (truth != code) *vec_push(&s->core) = (struct order_lit){truth};
      continue;
    }
    search_reason(s, truth);
    for (size_t i = 0; i < s->scratch.count; i++) {
      uint32_t var = s->scratch.data[i] >> 1;
      if (s->vars.data[var].level > 0 && !s->ranks.data[var].seen) see(s, var);
    }
  }
  clear_seen(s);
}
