#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "order/search.h"

static void watch(struct search *s, uint32_t code, uint32_t ref, uint32_t blocker) {
  *vec_push(&s->watches[code]) = (struct search_watch){ref, blocker};
}

/* Newest first: what goes is most often what came last. */
static void unwatch(struct search *s, uint32_t code, uint32_t ref) {
  search_watches *w = &s->watches[code];
  size_t i = w->count - 1;
  while (w->data[i].ref != ref) i--;
  w->data[i] = w->data[--w->count];
}

static void attach(struct search *s, uint32_t ref, const struct clause *c) {
  watch(s, c->lits[0], ref, c->lits[1]);
  watch(s, c->lits[1], ref, c->lits[0]);
}

static void detach(struct search *s, uint32_t ref) {
  const struct clause *c = search_clause(s, ref);
  unwatch(s, c->lits[0], ref);
  unwatch(s, c->lits[1], ref);
}

/* Copies the literals that are open, each once, into s->clause. False: the clause holds anyway. The tables of marks are too dear for
 * clauses of two or three literals, which is most of them. */
static bool simplify(struct search *s, const struct order_lit *lits, size_t n) {
  vec_clear(&s->clause);
  for (size_t i = 0; i < n; i++) {
    uint32_t code = lits[i].code;
    int8_t value = s->values.data[code];
    if (value > 0) return false;
    if (value < 0) continue;
    bool known = false;
    if (n <= 8) {
      for (size_t j = 0; j < s->clause.count; j++) {
        if (s->clause.data[j] == (code ^ 1)) return false;
        known |= s->clause.data[j] == code;
      }
    }
    if (!known) *vec_push(&s->clause) = code;
  }
  return true;
}

static int compare_codes(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* As simplify(), for long clauses: sorted, so that a literal is next to its like and its negation. */
static bool simplify_long(struct search *s) {
  size_t kept = 0;
  qsort(s->clause.data, s->clause.count, sizeof *s->clause.data, compare_codes);
  for (size_t i = 0; i < s->clause.count; i++) {
    uint32_t code = s->clause.data[i];
    if (kept && s->clause.data[kept - 1] == (code ^ 1)) return false;
    if (!kept || s->clause.data[kept - 1] != code) s->clause.data[kept++] = code;
  }
  s->clause.count = kept;
  return true;
}

static uint32_t support_of(const struct search *s) {
  for (size_t i = 0; i < s->clause.count; i++) {
    uint32_t code = s->clause.data[i];
    if (s->ranks.data[code >> 1].phase != (code & 1)) return code;
  }
  return NO_SUPPORT;
}

void search_add(struct search *s, const struct order_lit *lits, size_t n) {
  if (!simplify(s, lits, n) || (n > 8 && !simplify_long(s))) return;
  if (s->clause.count == 0) {
    search_set_bad(s, search_depth(s));
  } else if (s->clause.count == 1) {
    search_assign(s, s->clause.data[0], REASON_NONE);
  } else {
    uint32_t size = (uint32_t)s->clause.count, at = (uint32_t)s->problem.count, support = support_of(s);
    struct clause *c = (void *)vec_push_n(&s->problem, CLAUSE_WORDS + size);
    uint32_t *link = support == NO_SUPPORT ? &s->unsupported : &s->supported.data[support];
    c->size = size, c->tag = search_depth(s), c->support = support, c->link = *link;
    *link = at + 1;
    memcpy(c->lits, s->clause.data, size * sizeof *c->lits);
    attach(s, at | (size == 2 ? REF_BINARY : 0), c);
  }
}

void search_forget_problem(struct search *s, uint32_t at) {
  for (uint32_t next = at; next < s->problem.count;) {
    const struct clause *c = search_clause(s, next);
    detach(s, next | (c->size == 2 ? REF_BINARY : 0));
    next += CLAUSE_WORDS + c->size;
  }
  /* Lists of supported clauses have the newest in front; those of this store that go are the newest ones. */
  for (uint32_t next = at; next < s->problem.count;) {
    const struct clause *c = search_clause(s, next);
    uint32_t *link = c->support == NO_SUPPORT ? &s->unsupported : &s->supported.data[c->support];
    if (*link > at) *link = c->link;
    while (*link > at) *link = search_clause(s, *link - 1)->link;
    next += CLAUSE_WORDS + c->size;
  }
  s->problem.count = at;
}

uint32_t search_learn(struct search *s, uint32_t distance) {
  uint32_t size = (uint32_t)s->clause.count, ref = (uint32_t)s->learnt.count | REF_LEARNT | (size == 2 ? REF_BINARY : 0);
  struct clause *c = (void *)vec_push_n(&s->learnt, CLAUSE_WORDS + size);
  c->size = size, c->tag = s->tag, c->link = distance, c->support = (uint32_t)s->stats.conflicts;
  memcpy(c->lits, s->clause.data, size * sizeof *c->lits);
  attach(s, ref, c);
  *vec_push(&s->learnts) = ref;
  s->stats.learnt++;
  return ref;
}

/* Moves what is left of the learnt clauses together. No reason may refer to them: at decision level 0 only. */
static void compact(struct search *s) {
  uint32_t to = 0;
  for (size_t i = 0; i < s->learnts.count; i++) {
    uint32_t ref = s->learnts.data[i], flags = ref & (REF_LEARNT | REF_BINARY);
    struct clause *c = search_clause(s, ref);
    uint32_t words = CLAUSE_WORDS + c->size;
    for (uint32_t w = 0; w < 2; w++) {
      search_watches *list = &s->watches[c->lits[w]];
      size_t j = list->count - 1;
      while (list->data[j].ref != ref) j--;
      list->data[j].ref = to | flags;
    }
    memmove(s->learnt.data + to, c, words * sizeof(uint32_t));
    s->learnts.data[i] = to | flags;
    to += words;
  }
  s->learnt.count = to;
  s->learnt_waste = 0;
}

static void drop(struct search *s, uint32_t ref) {
  detach(s, ref);
  s->learnt_waste += CLAUSE_WORDS + search_clause(s, ref)->size;
}

void search_forget_learnt(struct search *s, uint32_t from, uint32_t tag) {
  uint32_t kept = from;
  for (uint32_t i = from; i < s->learnts.count; i++) {
    uint32_t ref = s->learnts.data[i];
    if (search_clause(s, ref)->tag > tag)
      drop(s, ref);
    else
      s->learnts.data[kept++] = ref;
  }
  s->learnts.count = kept;
  if (s->learnt_waste > s->learnt.count / 2) compact(s);
}

void search_reduce(struct search *s) {
  assert(search_level_now(s) == 0);
  uint32_t kept = 0, count = (uint32_t)s->learnts.count;
  vec_clear(&s->scratch);
  for (uint32_t i = 0; i < count; i++) *vec_push(&s->scratch) = search_clause(s, s->learnts.data[i])->link;
  if (count) qsort(s->scratch.data, count, sizeof *s->scratch.data, compare_codes);
  uint32_t limit = count ? s->scratch.data[count / 2] : 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t ref = s->learnts.data[i];
    const struct clause *c = search_clause(s, ref);
    bool keep = c->link <= 2 || c->link < limit || s->stats.conflicts - c->support < 1000;
    if (keep)
      s->learnts.data[kept++] = ref;
    else
      drop(s, ref);
  }
  s->learnts.count = kept;
  for (size_t l = 0; l < s->levels.count; l++) s->levels.data[l].learnts = 0;
  compact(s);
}
