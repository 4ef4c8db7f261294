#include "value/eliminate.h"

static void add_definition(struct elimination *e, uint32_t symbol, struct expr by, uint32_t condition) {
  *hashmap_at(&e->of_symbol, symbol, 0, NULL) = e->found.count;
  *vec_push(&e->found) = (struct definition){.symbol = symbol, .condition = condition, .by = by};
}

static bool is_symbol(const struct elimination *e, struct expr x) { return expr_op(e->pool, x) == EXPR_SYMBOL; }

/* The symbol that `x` is by definitions so far, the last one that is not defined by another symbol. */
static struct expr the_same(const struct elimination *e, struct expr x) {
  const uint64_t *at;
  while ((at = hashmap_find(&e->of_symbol, expr_the_symbol(e->pool, x).id)) && is_symbol(e, e->found.data[*at].by))
    x = e->found.data[*at].by;
  return x;
}

/* Symbol `x` is `by`: so is what it is by definition. What links them holds in any case, as a definition or as a condition. */
static bool define(struct elimination *e, struct expr x, struct expr by, uint32_t condition) {
  if (!is_symbol(e, x)) return false;
  x = the_same(e, x);
  uint32_t symbol = expr_the_symbol(e->pool, x).id;
  if (expr_equal(x, by) || hashmap_find(&e->of_symbol, symbol)) return false;
  add_definition(e, symbol, by, condition);
  return true;
}

static void find_definition(struct elimination *e, uint32_t condition) {
  struct node n = *node_at(e->pool, condition);
  struct expr self = {condition}, a = {n.args[0]}, b = {n.args[1]};
  if (n.op == EXPR_SYMBOL) {
    define(e, self, expr_constant(e->pool, 1, 1), condition);
  } else if (n.op == EXPR_NOT) {
    define(e, a, expr_constant(e->pool, 1, 0), condition);
  } else if (n.op == EXPR_EQ) {
    if (is_symbol(e, a)) a = the_same(e, a);
    if (is_symbol(e, b)) b = the_same(e, b);
    if (!define(e, a, b, condition)) define(e, b, a, condition);
  }
}

static const struct definition *definition_of(const struct elimination *e, uint32_t symbol) {
  const uint64_t *at = hashmap_find(&e->of_symbol, symbol);
  return at ? &e->found.data[*at] : NULL;
}

/* `expression` with what its symbols were defined to be so far. */
static struct expr with_definitions(const struct elimination *e, struct expr expression) {
  VEC(struct substitution) by = {0};
  size_t count;
  const struct symbol *of = symbol_set_list(e->pool, expr_symbols(e->pool, expression), &count);
  for (size_t i = 0; i < count; i++) {
    const struct definition *d = definition_of(e, of[i].id);
    if (d && d->state == VISITED && !d->cyclic) *vec_push(&by) = (struct substitution){of[i], d->by.id};
  }
  if (by.count) expression = expr_substitute(e->pool, expression, by.data, by.count);
  vec_release(&by);
  return expression;
}

static void finish(struct elimination *e, struct definition *d) {
  if (!d->cyclic) {
    d->by = with_definitions(e, d->by);
    *vec_push(&e->definitions) = *d;
  }
  d->state = VISITED;
}

/* Depth first, so that what a definition needs comes before it; one that comes back to a definition that is being visited is not used, so
 * none is left that needs itself. */
static void visit(struct elimination *e, uint32_t root) {
  if (e->found.data[root].state != NOT_VISITED) return;
  e->found.data[root].state = VISITING;
  *vec_push(&e->stack) = (struct definition_visit){root, 0};
  while (e->stack.count) {
    struct definition_visit *v = &vec_last(&e->stack);
    struct definition *d = &e->found.data[v->found];
    size_t count;
    const struct symbol *of = symbol_set_list(e->pool, expr_symbols(e->pool, d->by), &count);
    if (v->next == count) {
      finish(e, d);
      (void)vec_pop(&e->stack);
      continue;
    }
    const uint64_t *at = hashmap_find(&e->of_symbol, of[v->next++].id);
    if (!at) continue;
    struct definition *needed = &e->found.data[*at];
    if (needed->state == VISITING) d->cyclic = true;
    if (needed->state != NOT_VISITED) continue;
    needed->state = VISITING;
    *vec_push(&e->stack) = (struct definition_visit){(uint32_t)*at, 0};
  }
}

static void clear(struct elimination *e) {
  vec_clear(&e->found);
  vec_clear(&e->definitions);
  vec_clear(&e->left.ids);
  hashmap_clear(&e->of_symbol);
  hashmap_clear(&e->origin);
}

/* --- bounds --- */

/* `x` has at least, or at most, the value `bound`; turned so that comparisons with a sign are comparisons without one. */
struct bound {
  uint64_t key; /* the expression, whether it has a sign, which of both */
  bits128 value;
};

static bool is_bound(const struct elimination *e, uint32_t condition, struct bound *b) {
  struct expr self = {condition}, first = operand(e->pool, self, 0), second = operand(e->pool, self, 1);
  enum expr_op op = expr_op(e->pool, self);
  bool strict = op == EXPR_ULT || op == EXPR_SLT, sign = op == EXPR_SLT || op == EXPR_SLE;
  bits128 c;
  if (!strict && op != EXPR_ULE && op != EXPR_SLE) return false;
  bool upper = expr_is_constant(e->pool, second, &c);
  if (!upper && !expr_is_constant(e->pool, first, &c)) return false;
  unsigned width = expr_width(e->pool, first);
  if (sign) c ^= (bits128)1 << (width - 1);
  if (strict && c == (upper ? 0 : bits_ones(width))) return false; /* it is `false` */
  struct expr of = upper ? first : second;
  *b = (struct bound){(uint64_t)of.id << 2 | (uint64_t)sign << 1 | upper, upper ? c - strict : c + strict};
  return true;
}

/* Of "n > 0", "n > 1", .., as they are where a loop has n turns, the last one says all. The others go from `left`. */
static void drop_weak_bounds(struct elimination *e) {
  struct hashmap best = {0}; /* to the index of the strongest */
  struct bound b, other;
  for (size_t i = 0; i < e->left.ids.count; i++) {
    if (!is_bound(e, e->left.ids.data[i], &b)) continue;
    uint64_t *at = hashmap_at(&best, b.key, i, NULL);
    (void)is_bound(e, e->left.ids.data[*at], &other);
    if (b.key & 1 ? b.value < other.value : b.value > other.value) *at = i;
  }
  size_t kept = 0;
  for (size_t i = 0; i < e->left.ids.count; i++)
    if (!is_bound(e, e->left.ids.data[i], &b) || *hashmap_find(&best, b.key) == i) e->left.ids.data[kept++] = e->left.ids.data[i];
  e->left.ids.count = kept;
  hashmap_release(&best);
}

void eliminate(struct elimination *e, const uint32_t *ids, size_t count) {
  struct hashmap used = {0};
  clear(e);
  for (size_t i = 0; i < count; i++) find_definition(e, ids[i]);
  for (uint32_t i = 0; i < e->found.count; i++) visit(e, i);
  for (size_t i = 0; i < e->definitions.count; i++) hashmap_at(&used, e->definitions.data[i].condition, 0, NULL);
  for (size_t i = 0; i < count; i++) {
    if (hashmap_find(&used, ids[i])) continue;
    struct expr left = with_definitions(e, (struct expr){ids[i]});
    *vec_push(&e->left.ids) = left.id;
    hashmap_at(&e->origin, left.id, ids[i], NULL);
  }
  drop_weak_bounds(e);
  conjuncts_sort(&e->left, e->pool);
  hashmap_release(&used);
}

void eliminate_complete(const struct elimination *e, struct value_model *model) {
  struct evaluator v = {0};
  for (size_t i = 0; i < e->definitions.count; i++) {
    /* What an expression has of symbols is in the rest's model: earlier definitions are in it. */
    if (i == 0) evaluator_begin(&v, e->pool, model);
    bits128 value = evaluator_value(&v, e->definitions.data[i].by);
    value_model_set(model, (struct symbol){e->definitions.data[i].symbol}, value);
  }
  evaluator_release(&v);
}

/* The definitions that the symbols of a condition need, each once; those as well that were not used, being cyclic: that a condition defines
 * another symbol than its own (define()) follows from them. */
static void add_needed(const struct elimination *e, uint32_t condition, struct conjuncts *core, struct hashmap *there) {
  size_t count;
  const struct symbol *of = symbol_set_list(e->pool, expr_symbols(e->pool, (struct expr){condition}), &count);
  for (size_t i = 0; i < count; i++) {
    const struct definition *d = definition_of(e, of[i].id);
    bool is_new;
    if (!d) continue;
    hashmap_at(there, d->condition, 0, &is_new);
    if (is_new) *vec_push(&core->ids) = d->condition;
  }
}

void eliminate_core(const struct elimination *e, struct conjuncts *core) {
  struct hashmap there = {0};
  for (size_t i = 0; i < core->ids.count; i++) core->ids.data[i] = (uint32_t)*hashmap_find(&e->origin, core->ids.data[i]);
  /* What is added is looked at in turn. */
  for (size_t i = 0; i < core->ids.count; i++) add_needed(e, core->ids.data[i], core, &there);
  conjuncts_sort(core, e->pool);
  hashmap_release(&there);
}

void eliminate_release(struct elimination *e) {
  vec_release(&e->found);
  vec_release(&e->definitions);
  vec_release(&e->stack);
  conjuncts_release(&e->left);
  hashmap_release(&e->of_symbol);
  hashmap_release(&e->origin);
}
