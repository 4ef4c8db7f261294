/* Random expressions: what src/value makes of them has the value that the tree has by arithmetic bit by bit.
 * usage: value [--trees=N] [--seed=N]
 *
 * For each tree: values under assignments (all of them where widths are small), substitution of constants, the set of symbols, the hash
 * in another order of creation, the SMT-LIB script, and the circuit: Z3 and CaDiCaL must agree with the value. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value/engine.h"
#include "value/expr_text.h"
#include "value_script.h"
#include "value_tree.h"

enum { DEPTH = 5, Z3_EACH = 397, CIRCUIT_WORK = 60, OTHERS = 64 };

static unsigned long values, scripts, circuits, folded, given_up;

static void fail(const struct value_pool *p, struct expr e, uint64_t seed, const char *what) {
  struct text text = {0};
  expr_print(p, e, &text);
  printf("seed %llu: %s: %s\n", (unsigned long long)seed, what, text_str(&text));
  exit(1);
}

/* The model that says the same as the assignment; symbols that are not of `e` get other values. */
static void to_model(struct value_pool *p, struct expr e, const struct assignment *a, struct value_model *m) {
  value_model_clear(m);
  for (uint32_t i = 0; i < OTHERS; i++) value_model_set(m, (struct symbol){i}, ~(bits128)i);
  size_t count;
  const struct symbol *of = symbol_set_list(p, expr_symbols(p, e), &count);
  for (size_t i = 0; i < count; i++) {
    if (symbol_width(p, of[i])) value_model_set(m, of[i], bits_trim(a->numbers[symbol_name(p, of[i]).count], symbol_width(p, of[i])));
    for (uint64_t b = 0; b < 4 && !symbol_width(p, of[i]); b++) value_model_set_byte(m, of[i], b, a->bytes[b]);
  }
}

/* Each symbol by its constant: what is left is one. */
static struct expr substituted(struct value_pool *p, struct expr e, const struct value_model *m) {
  struct substitution by[64];
  size_t count;
  const struct symbol *list = symbol_set_list(p, expr_symbols(p, e), &count);
  struct symbol of[64];
  if (count > 64) abort();
  if (count) memcpy(of, list, count * sizeof *of);
  for (size_t i = 0; i < count; i++) {
    by[i].symbol = of[i];
    if (symbol_width(p, of[i])) {
      by[i].by = expr_constant(p, symbol_width(p, of[i]), value_model_get(m, of[i])).id;
      continue;
    }
    struct expr_array array = expr_array_constant(p, expr_constant(p, 8, 0));
    for (uint64_t b = 0; b < 4; b++)
      array = expr_store(p, array, expr_constant(p, ARRAY_INDEX_WIDTH, b), expr_constant(p, 8, value_model_get_byte(m, of[i], b)));
    by[i].by = array.id;
  }
  return expr_substitute(p, e, by, count);
}

/* Symbols have the model's values, and `e` is not `value`: no more than 4 * 64 + 1 conditions. */
static size_t conditions_against(struct value_pool *p, struct expr e, const struct value_model *m, bits128 value, struct expr *conditions) {
  size_t count, n = 0;
  const struct symbol *of = symbol_set_list(p, expr_symbols(p, e), &count);
  struct symbol symbols[64];
  if (count) memcpy(symbols, of, count * sizeof *of);
  for (size_t i = 0; i < count; i++) {
    unsigned width = symbol_width(p, symbols[i]);
    for (uint64_t b = 0; b < 4 && !width; b++) { /* indices are below 4 */
      struct expr byte = expr_select(p, expr_array_symbol(p, symbol_name(p, symbols[i])), expr_constant(p, ARRAY_INDEX_WIDTH, b));
      conditions[n++] = expr_binary(p, EXPR_EQ, byte, expr_constant(p, 8, value_model_get_byte(m, symbols[i], b)));
    }
    if (!width) continue;
    struct expr s = expr_symbol(p, symbol_name(p, symbols[i]), width);
    conditions[n++] = expr_binary(p, EXPR_EQ, s, expr_constant(p, width, value_model_get(m, symbols[i])));
  }
  struct expr is = expr_binary(p, EXPR_EQ, e, expr_constant(p, expr_width(p, e), value));
  conditions[n++] = expr_not(p, is);
  return n;
}

/* Z3 says that under the model nothing but `value` is possible; or it gives up, as on roots of quotients. */
static bool z3_agrees(struct value_pool *p, struct expr e, const struct value_model *m, bits128 value) {
  struct expr conditions[4 * 64 + 1];
  size_t n = conditions_against(p, e, m, value, conditions);
  enum value_answer answer = script_ask(p, conditions, n);
  scripts++, given_up += answer == VALUE_UNKNOWN;
  return answer != VALUE_YES;
}

/* So do circuits, which get the symbols' values as assumptions: the engine sees the expression as it is. And `value` is possible. Circuits of
 * more than CIRCUIT_WORK thousand gates are left out. */
static bool bits_agree(struct value_pool *p, struct expr e, const struct value_model *m, bits128 value) {
  struct expr conditions[4 * 64 + 1];
  uint32_t ids[4 * 64 + 1];
  size_t n = conditions_against(p, e, m, value, conditions);
  struct engine *engine = engine_bits_new(p);
  struct value_model model = {0};
  struct conjuncts core = {0};
  for (size_t i = 0; i < n; i++) ids[i] = conditions[i].id;
  enum value_answer other = engine->solve(engine, ids, n, CIRCUIT_WORK, &model, &core);
  ids[n - 1] = expr_not(p, conditions[n - 1]).id;
  enum value_answer itself = other == VALUE_UNKNOWN ? VALUE_UNKNOWN : engine->solve(engine, ids, n, CIRCUIT_WORK, &model, &core);
  engine->free(engine);
  value_model_release(&model);
  conjuncts_release(&core);
  circuits += itself != VALUE_UNKNOWN;
  return itself == VALUE_UNKNOWN || (other == VALUE_NO && itself == VALUE_YES);
}

static void check_assignment(struct value_pool *p, const struct tree *t, int root, struct expr e, const struct assignment *a, bool as_circuit,
                             uint64_t seed) {
  struct value_model m = {0};
  to_model(p, e, a, &m);
  bits128 expected = tree_value(t, root, a), left;
  if (expr_eval(p, e, &m) != expected) fail(p, e, seed, "another value");
  struct expr s = substituted(p, e, &m);
  if (!expr_is_constant(p, s, &left) || left != expected) fail(p, s, seed, "another value when substituted");
  if (values++ % Z3_EACH == 0 && !z3_agrees(p, e, &m, expected)) fail(p, e, seed, "Z3 does not agree");
  if (as_circuit && !bits_agree(p, e, &m, expected)) fail(p, e, seed, "circuits do not agree");
  value_model_release(&m);
}

static void check_tree(uint64_t seed) {
  static struct tree t;
  t.count = 0, t.random = seed * 0x9e3779b97f4a7c15u, t.small = seed % 2;
  int root = tree_grow(&t, t.small ? 1 + (unsigned)tree_random(&t, 4) : 1 + (unsigned)tree_random(&t, 128), DEPTH);
  struct value_pool *p = value_pool_new(), *q = value_pool_new();
  struct expr e = {tree_build(&t, root, p, false)}, f = {tree_build(&t, root, q, true)};
  size_t made = value_pool_count(p);
  bits128 ignored;
  if (!fingerprint_equal(expr_hash(p, e), expr_hash(q, f))) fail(p, e, seed, "another hash in another order");
  if (tree_build(&t, root, p, true) != e.id || value_pool_count(p) != made) fail(p, e, seed, "made twice");
  if (expr_width(p, e) != t.nodes[root].width) fail(p, e, seed, "another width");
  folded += expr_is_constant(p, e, &ignored);
  for (unsigned i = 0; i < (t.small ? 256u : 12u); i++) {
    struct assignment a = {.numbers = {i & 15, i >> 4}};
    for (int s = 0; s < TREE_SYMBOLS && !t.small; s++) a.numbers[s] = tree_number(&t, 128), a.bytes[s] = (uint8_t)tree_random(&t, 256);
    check_assignment(p, &t, root, e, &a, i == seed % 12, seed);
  }
  value_pool_free(p);
  value_pool_free(q);
}

int main(int argc, char **argv) {
  unsigned long trees = 1000, seed = 1;
  for (int i = 1; i < argc; i++)
    if (sscanf(argv[i], "--trees=%lu", &trees) != 1 && sscanf(argv[i], "--seed=%lu", &seed) != 1) return 2;
  script_open();
  for (unsigned long i = 0; i < trees; i++) check_tree(seed + i);
  printf("%lu trees, %lu values, %lu asked of Z3 (%lu without an answer), %lu of circuits, %lu trees were constants\n", trees, values, scripts, given_up,
         circuits, folded);
  if (circuits * 2 < trees) return puts("too few circuits"), 1;
  if (given_up * 10 > scripts + 9) return puts("too few answers of Z3"), 1;
  return mem_live() != 0;
}
