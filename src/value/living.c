#include "value/living.h"

#include "value/internal.h"

struct look {
  struct value_pool *pool;
  const struct hashmap *living;
  struct hashmap uses; /* by symbol: how many conditions have it */
};

static void count_uses(struct look *k, struct expr e, uint64_t by) {
  size_t n;
  const struct symbol *s = symbol_set_list(k->pool, expr_symbols(k->pool, e), &n);
  for (size_t i = 0; i < n; i++) *hashmap_at(&k->uses, s[i].id, 0, NULL) += by;
}

/* Nobody has the symbol but one condition. */
static bool is_alone(const struct look *k, struct expr e) {
  struct symbol s = expr_the_symbol(k->pool, e);
  return !hashmap_find(k->living, s.id) && *hashmap_find(&k->uses, s.id) == 1;
}

static bool are_apart(const struct look *k, struct expr a, struct expr b) {
  size_t n, m;
  const struct symbol *x = symbol_set_list(k->pool, expr_symbols(k->pool, a), &n);
  const struct symbol *y = symbol_set_list(k->pool, expr_symbols(k->pool, b), &m);
  for (size_t i = 0, j = 0; i < n && j < m; x[i].id < y[j].id ? i++ : j++)
    if (x[i].id == y[j].id) return false;
  return true;
}

/* Has it every value of its width, whatever the symbols are that others have, too? */
static bool is_free(const struct look *k, struct expr e) {
  const struct value_pool *p = k->pool;
  enum expr_op op = expr_op(p, e);
  if (op == EXPR_SYMBOL) return is_alone(k, e);
  if (op == EXPR_NOT || op == EXPR_NEG || op == EXPR_EXTRACT) return is_free(k, operand(p, e, 0));
  bool both = op == EXPR_CONCAT, either = op == EXPR_ADD || op == EXPR_SUB || op == EXPR_XOR;
  if ((!both && !either) || !are_apart(k, operand(p, e, 0), operand(p, e, 1))) return false;
  bool first = is_free(k, operand(p, e, 0)), second = is_free(k, operand(p, e, 1));
  return both ? first && second : first || second;
}

static struct expr differs(const struct look *k, struct expr e, bits128 from) {
  struct value_pool *p = k->pool;
  return expr_not(p, expr_binary(p, EXPR_EQ, e, expr_constant(p, expr_width(p, e), from)));
}

/* Of a < b, that the free one can be chosen so: the other is not the last value in that direction. */
static struct expr choose(const struct look *k, enum expr_op op, struct expr a, struct expr b, struct expr or_else) {
  unsigned w = expr_width(k->pool, a);
  bits128 sign = (bits128)1 << (w - 1), all = bits_trim(~(bits128)0, w);
  if (is_free(k, a)) return differs(k, b, op == EXPR_SLT ? sign : 0);
  if (is_free(k, b)) return differs(k, a, op == EXPR_SLT ? all ^ sign : all);
  return or_else;
}

#define SYMBOLS_LOOKED_AT 64u /* of a condition that has more, something grows from turn to turn */

/* What the condition says about the symbols that others have, too. */
static struct expr weaken(const struct look *k, struct expr e) {
  struct value_pool *p = k->pool;
  size_t n;
  symbol_set_list(p, expr_symbols(p, e), &n);
  if (n > SYMBOLS_LOOKED_AT) return e;
  struct expr yes = expr_constant(p, 1, 1), inner = expr_op(p, e) == EXPR_NOT ? operand(p, e, 0) : e;
  enum expr_op op = expr_op(p, inner);
  if (is_free(k, e)) return yes;
  if (op != EXPR_EQ && op != EXPR_ULT && op != EXPR_ULE && op != EXPR_SLT && op != EXPR_SLE) return e;
  struct expr a = operand(p, inner, 0), b = operand(p, inner, 1);
  if (!are_apart(k, a, b)) return e;
  bool any = is_free(k, a) || is_free(k, b);
  if (op == EXPR_EQ) return any ? yes : e;
  if (!expr_equal(inner, e)) { /* not (a <= b) is b < a */
    struct expr t = a;
    a = b, b = t;
    op = op == EXPR_ULT ? EXPR_ULE : op == EXPR_ULE ? EXPR_ULT : op == EXPR_SLT ? EXPR_SLE : EXPR_SLT;
  }
  if (op == EXPR_ULE || op == EXPR_SLE) return any ? yes : e;
  return choose(k, op, a, b, e);
}

/* From the last to the first: later inputs are compared with earlier ones. */
static bool weaken_all(struct living *l, struct look *k) {
  bool changed = false;
  for (size_t i = l->conditions.count; i-- > 0;) {
    struct expr *c = &l->conditions.data[i], less = weaken(k, *c);
    if (expr_equal(less, *c)) continue;
    count_uses(k, *c, (uint64_t)-1);
    count_uses(k, less, 1);
    *c = less;
    changed = true;
  }
  return changed;
}

static bool has_any(const struct value_pool *p, struct expr e, const struct hashmap *of) {
  size_t n;
  const struct symbol *s = symbol_set_list(p, expr_symbols(p, e), &n);
  for (size_t i = 0; i < n; i++)
    if (hashmap_find(of, s[i].id)) return true;
  return false;
}

/* Keeps those that have to do with a living symbol, directly or through others. */
static void keep_reached(struct living *l, const struct value_pool *p, const struct hashmap *living) {
  struct hashmap reached = {0};
  size_t n = l->conditions.count, kept = 0, n_symbols;
  for (size_t i = 0; i < living->cap; i++)
    if (living->used[i]) hashmap_at(&reached, living->keys[i], 1, NULL);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = kept; i < n; i++) {
      struct expr c = l->conditions.data[i];
      if (!has_any(p, c, &reached)) continue;
      const struct symbol *s = symbol_set_list(p, expr_symbols(p, c), &n_symbols);
      for (size_t k = 0; k < n_symbols; k++) hashmap_at(&reached, s[k].id, 1, NULL);
      l->conditions.data[i] = l->conditions.data[kept];
      l->conditions.data[kept++] = c;
      more = true;
    }
  }
  l->conditions.count = kept;
  hashmap_release(&reached);
}

static void leave_once(struct living *l) {
  struct hashmap once = {0};
  size_t kept = 0;
  for (size_t i = 0; i < l->conditions.count; i++) {
    bool is_new;
    hashmap_at(&once, l->conditions.data[i].id, 1, &is_new);
    if (is_new) l->conditions.data[kept++] = l->conditions.data[i];
  }
  l->conditions.count = kept;
  hashmap_release(&once);
}

/* --- the values that one may have --- */

#define CONDITIONS_MOST   128u /* where there are more, something grows that this does not stop */
#define CONDITIONS_OF_ONE 8u   /* more are not looked at */
#define VALUES_MOST       16u
#define VALUES_TOLD       4u /* so few are put into the others' conditions, one by one */
#define WORK              1000u

/* A symbol that is gone, and the conditions that have it. */
struct gone {
  struct value_pool *pool;
  struct value_solver *solver;
  struct evaluator *scratch;
  struct symbol symbol;
  unsigned width;
  struct expr own[CONDITIONS_OF_ONE], shared[CONDITIONS_OF_ONE]; /* with other symbols */
  size_t nown, nshared;
  bits128 values[VALUES_MOST]; /* with which its own hold: all of them, or some */
  size_t count;
  bool all;
};

static struct expr with_value(const struct gone *g, struct expr e, bits128 value) {
  const struct substitution by = {g->symbol, expr_constant(g->pool, g->width, value).id};
  return expr_substitute(g->pool, e, &by, 1);
}

static bool holds(const struct gone *g, bits128 value) {
  struct value_model m = {0};
  bool all = true;
  value_model_set(&m, g->symbol, value);
  evaluator_begin(g->scratch, g->pool, &m);
  for (size_t i = 0; i < g->nown && all; i++) all = evaluator_value(g->scratch, g->own[i]);
  value_model_release(&m);
  return all;
}

static void try_value(struct gone *g, bits128 value) {
  value = bits_trim(value, g->width);
  for (size_t i = 0; i < g->count; i++)
    if (g->values[i] == value) return;
  if (!holds(g, value)) return;
  if (g->count < VALUES_MOST)
    g->values[g->count++] = value;
  else
    g->all = false;
}

/* Of many: the least and the greatest there are, and those next to numbers that it is compared with. */
static void try_some(struct gone *g) {
  const struct value_pool *p = g->pool;
  bits128 sign = (bits128)1 << (g->width - 1), constant;
  for (unsigned i = 0; i < 4; i++) try_value(g, i);
  try_value(g, ~(bits128)0), try_value(g, sign), try_value(g, sign - 1);
  for (size_t i = 0; i < g->nown; i++) {
    struct expr e = expr_op(p, g->own[i]) == EXPR_NOT ? operand(p, g->own[i], 0) : g->own[i];
    for (unsigned k = 0; node_operands(expr_op(p, e)) == 2 && k < 2; k++)
      for (bits128 next = 0; next < 3 && expr_is_constant(p, operand(p, e, k), &constant); next++) try_value(g, constant + next - 1);
  }
}

static enum value_answer must_be(const struct gone *g, struct expr e) {
  struct path *path = NULL;
  for (size_t i = 0; i < g->nown; i++) {
    struct path *longer = path_extend(g->pool, path, g->own[i]);
    path_release(path);
    path = longer;
  }
  enum value_answer answer = value_must(g->solver, path, e);
  path_release(path);
  return answer;
}

static void find_values(struct gone *g) {
  g->all = g->width <= 8;
  for (bits128 i = 0; g->all && i < (bits128)1 << g->width; i++) try_value(g, i);
  if (g->width <= 8) return;
  try_some(g);
  struct expr any = expr_constant(g->pool, 1, 0), it = expr_symbol(g->pool, symbol_name(g->pool, g->symbol), g->width);
  for (size_t i = 0; i < g->count; i++)
    any = expr_binary(g->pool, EXPR_OR, any, expr_binary(g->pool, EXPR_EQ, it, expr_constant(g->pool, g->width, g->values[i])));
  g->all = g->count <= VALUES_TOLD && must_be(g, any) == VALUE_YES;
}

/* With one of the values, the shared conditions hold. */
static struct expr with_one(const struct gone *g) {
  struct expr any = expr_constant(g->pool, 1, 0);
  for (size_t i = 0; i < g->count; i++) {
    struct expr all = expr_constant(g->pool, 1, 1);
    for (size_t k = 0; k < g->nshared; k++) all = expr_binary(g->pool, EXPR_AND, all, with_value(g, g->shared[k], g->values[i]));
    any = expr_binary(g->pool, EXPR_OR, any, all);
  }
  return any;
}

static bool has(const struct value_pool *p, struct expr e, struct symbol symbol) {
  size_t n;
  const struct symbol *s = symbol_set_list(p, expr_symbols(p, e), &n);
  for (size_t i = 0; i < n; i++)
    if (s[i].id == symbol.id) return true;
  return false;
}

/* False: it has too many conditions. */
static bool find_conditions(const struct living *l, struct gone *g) {
  for (size_t i = 0; i < l->conditions.count; i++) {
    size_t n;
    struct expr e = l->conditions.data[i];
    if (!has(g->pool, e, g->symbol)) continue;
    symbol_set_list(g->pool, expr_symbols(g->pool, e), &n);
    size_t *count = n == 1 ? &g->nown : &g->nshared;
    if (*count == CONDITIONS_OF_ONE) return false;
    (n == 1 ? g->own : g->shared)[(*count)++] = e;
  }
  return true;
}

static void replace_conditions(struct living *l, const struct gone *g, struct expr by) {
  size_t kept = 0;
  bits128 constant;
  for (size_t i = 0; i < l->conditions.count; i++)
    if (!has(g->pool, l->conditions.data[i], g->symbol)) l->conditions.data[kept++] = l->conditions.data[i];
  l->conditions.count = kept;
  struct path *parts = path_extend(g->pool, NULL, by);
  for (const struct path *at = parts; at; at = at->before)
    if (!expr_is_constant(g->pool, at->condition, &constant)) *vec_push(&l->conditions) = at->condition;
  path_release(parts);
}

/* Leaves the symbol out, if it does not restrict the others, or does so in few ways. */
static bool leave_symbol(struct living *l, struct value_pool *p, struct value_solver *s, struct evaluator *scratch, struct symbol symbol) {
  struct gone g = {.pool = p, .solver = s, .scratch = scratch, .symbol = symbol, .width = symbol_width(p, symbol)};
  if (g.width == 0 || !find_conditions(l, &g)) return false;
  find_values(&g);
  if (g.count == 0) return false;
  struct expr any = with_one(&g);
  if (!(g.all && g.count <= VALUES_TOLD)) {
    if (value_must(s, NULL, any) != VALUE_YES) return false;
    any = expr_constant(p, 1, 1);
  }
  replace_conditions(l, &g, any);
  return true;
}

/* The first symbol that is gone and can be left out. */
static bool leave_one(struct living *l, struct value_pool *p, struct value_solver *s, struct evaluator *scratch,
                      const struct hashmap *living, struct hashmap *tried) {
  for (size_t i = 0; i < l->conditions.count; i++) {
    size_t n;
    struct expr e = l->conditions.data[i];
    symbol_set_list(p, expr_symbols(p, e), &n);
    for (size_t k = 0; k < n; k++) {
      bool is_new;
      struct symbol symbol = symbol_set_list(p, expr_symbols(p, e), &n)[k];
      if (hashmap_find(living, symbol.id)) continue;
      hashmap_at(tried, symbol.id, 1, &is_new);
      if (is_new && leave_symbol(l, p, s, scratch, symbol)) return true;
    }
  }
  return false;
}

static void leave_symbols(struct living *l, struct value_pool *p, struct value_solver *s, struct evaluator *scratch,
                          const struct hashmap *living) {
  struct hashmap tried = {0};
  value_solver_set_work(s, WORK);
  while (leave_one(l, p, s, scratch, living, &tried)) hashmap_clear(&tried);
  value_solver_set_work(s, 0);
  hashmap_release(&tried);
}

void living_reduce(struct living *l, struct value_pool *p, struct value_solver *s, struct evaluator *scratch,
                   const struct hashmap *living) {
  struct look k = {.pool = p, .living = living};
  leave_once(l);
  if (l->conditions.count > CONDITIONS_MOST) return;
  for (size_t i = 0; i < l->conditions.count; i++) count_uses(&k, l->conditions.data[i], 1);
  while (weaken_all(l, &k)) continue;
  leave_once(l);
  keep_reached(l, p, living);
  leave_symbols(l, p, s, scratch, living);
  leave_once(l);
  keep_reached(l, p, living);
  hashmap_release(&k.uses);
}

void living_release(struct living *l) { vec_release(&l->conditions); }
