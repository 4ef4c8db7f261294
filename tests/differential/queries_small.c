/* Questions over so few values that each is tried. */
#include <stdlib.h>
#include <string.h>

#include "queries.h"

enum { ASSIGNMENTS = 4096, WORDS = ASSIGNMENTS / 64, CONDITIONS = 12, SYMBOLS = 3 };

/* Under which assignments a condition holds. */
struct table {
  uint64_t holds[WORDS];
};

struct small {
  struct expr symbols[SYMBOLS];
  struct expr_array array;
  struct expr conditions[CONDITIONS];
  struct hashmap known; /* id to its table */
  VEC(struct table) tables;
};

static const unsigned widths[SYMBOLS] = {2, 3, 3};

static struct expr grow(struct source *s, unsigned width, int depth);

static struct expr of_width(struct source *s, struct expr e, unsigned width) {
  unsigned w = expr_width(s->pool, e);
  if (w > width) return expr_extract(s->pool, e, (unsigned)tree_random(&s->random, w - width + 1), width);
  return tree_random(&s->random, 2) ? expr_zext(s->pool, e, width) : expr_sext(s->pool, e, width);
}

static struct expr grow_index(struct source *s, int depth) {
  if (tree_random(&s->random, 3) == 0) return expr_constant(s->pool, ARRAY_INDEX_WIDTH, tree_random(&s->random, 2));
  return expr_zext(s->pool, grow(s, 1, depth), ARRAY_INDEX_WIDTH);
}

static struct expr grow_byte(struct source *s, int depth) {
  const struct small *m = s->own;
  struct expr_array array = m->array;
  if (tree_random(&s->random, 8) == 0) array = expr_array_constant(s->pool, expr_constant(s->pool, 8, tree_random(&s->random, 4)));
  for (uint64_t n = tree_random(&s->random, 3); n > 0; n--)
    array = expr_store(s->pool, array, grow_index(s, depth - 1), expr_zext(s->pool, grow(s, 3, depth - 1), 8));
  return expr_select(s->pool, array, grow_index(s, depth - 1));
}

static struct expr grow_leaf(struct source *s, unsigned width) {
  const struct small *m = s->own;
  if (tree_random(&s->random, 4) == 0) return expr_constant(s->pool, width, tree_random(&s->random, 16));
  return of_width(s, m->symbols[tree_random(&s->random, SYMBOLS)], width);
}

static struct expr grow(struct source *s, unsigned width, int depth) {
  struct value_pool *p = s->pool;
  uint64_t kind = depth <= 0 ? 0 : tree_random(&s->random, 10);
  if (kind < 2) return grow_leaf(s, width);
  if (kind == 2) return of_width(s, grow_byte(s, depth - 1), width);
  if (kind == 3) return expr_ite(p, grow(s, 1, depth - 1), grow(s, width, depth - 1), grow(s, width, depth - 1));
  if (width == 1 && kind < 8) {
    unsigned w = 1 + (unsigned)tree_random(&s->random, 5);
    struct expr a = grow(s, w, depth - 1);
    return expr_binary(p, (enum expr_op)(EXPR_EQ + tree_random(&s->random, 5)), a, grow(s, w, depth - 1));
  }
  if (kind == 4) return expr_not(p, grow(s, width, depth - 1));
  struct expr a = grow(s, width, depth - 1);
  return expr_binary(p, (enum expr_op)(EXPR_ADD + tree_random(&s->random, EXPR_ASHR - EXPR_ADD + 1)), a, grow(s, width, depth - 1));
}

/* One of the round's, its inverse, or two of them: so paths meet the same conditions again. */
static struct expr condition(struct source *s) {
  const struct small *m = s->own;
  struct expr a = m->conditions[tree_random(&s->random, CONDITIONS)], b = m->conditions[tree_random(&s->random, CONDITIONS)];
  switch (tree_random(&s->random, 8)) {
  case 0: return expr_binary(s->pool, EXPR_AND, a, b);
  case 1: return expr_binary(s->pool, EXPR_OR, a, b);
  case 2:
  case 3:
  case 4: return expr_not(s->pool, a);
  default: return a;
  }
}

static void assign(const struct source *s, unsigned assignment, struct value_model *model) {
  const struct small *m = s->own;
  value_model_clear(model);
  for (unsigned i = 0; i < SYMBOLS; i++) {
    value_model_set(model, expr_the_symbol(s->pool, m->symbols[i]), assignment & ((1u << widths[i]) - 1));
    assignment >>= widths[i];
  }
  struct symbol array = expr_array_the_symbol(s->pool, m->array);
  value_model_set_byte(model, array, 0, assignment & 3);
  value_model_set_byte(model, array, 1, (uint8_t)(assignment >> 2));
}

static const struct table *table_of(struct source *s, struct expr e) {
  struct small *m = s->own;
  bool is_new;
  size_t at = (size_t)*hashmap_at(&m->known, e.id, m->tables.count, &is_new);
  if (!is_new) return &m->tables.data[at];
  struct table *t = vec_push(&m->tables);
  struct value_model model = {0};
  struct evaluator v = {0};
  memset(t, 0, sizeof *t);
  for (unsigned i = 0; i < ASSIGNMENTS; i++) {
    assign(s, i, &model);
    evaluator_begin(&v, s->pool, &model);
    t->holds[i / 64] |= (uint64_t)(evaluator_value(&v, e) != 0) << i % 64;
  }
  evaluator_release(&v);
  value_model_release(&model);
  return t;
}

static enum value_answer truth(struct source *s, const struct expr *conditions, size_t count) {
  struct table all;
  memset(&all, 0xff, sizeof all);
  for (size_t i = 0; i < count; i++) {
    const struct table *t = table_of(s, conditions[i]);
    for (int w = 0; w < WORDS; w++) all.holds[w] &= t->holds[w];
  }
  for (int w = 0; w < WORDS; w++)
    if (all.holds[w]) return VALUE_YES;
  return VALUE_NO;
}

static void release(struct source *s) {
  struct small *m = s->own;
  hashmap_release(&m->known);
  vec_release(&m->tables);
  mem_free(m, sizeof *m);
  vec_release(&s->starts);
  value_pool_free(s->pool);
}

/* A symbol is a constant, or what an expression says; the latter may have the symbol, too. */
static struct expr equality(struct source *s, unsigned i) {
  const struct small *m = s->own;
  unsigned width = widths[i % SYMBOLS];
  struct expr is = i < SYMBOLS ? expr_constant(s->pool, width, tree_random(&s->random, 8)) : grow(s, width, 2);
  return expr_binary(s->pool, EXPR_EQ, m->symbols[i % SYMBOLS], is);
}

void source_small(struct source *s, uint64_t seed) {
  struct small *m = mem_alloc(sizeof *m);
  *s = (struct source){.pool = value_pool_new(), .own = m, .condition = condition, .truth = truth, .release = release};
  s->random.random = seed * 0x9e3779b97f4a7c15u;
  for (unsigned i = 0; i < SYMBOLS; i++) m->symbols[i] = expr_symbol(s->pool, (struct symbol_name){"0", 1, i}, widths[i]);
  m->array = expr_array_symbol(s->pool, (struct symbol_name){"0", 2, 0});
  for (unsigned i = 0; i < 2; i++) {
    struct expr byte = expr_select(s->pool, m->array, expr_constant(s->pool, ARRAY_INDEX_WIDTH, i));
    *vec_push(&s->starts) = expr_binary(s->pool, EXPR_ULT, byte, expr_constant(s->pool, 8, 4));
  }
  for (unsigned i = 0; i < CONDITIONS; i++) m->conditions[i] = i < 2 * SYMBOLS ? equality(s, i) : grow(s, 1, 4);
}
