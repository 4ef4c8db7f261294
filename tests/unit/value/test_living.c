/* What a path says of the symbols that are left: against all values of all symbols. And hashes up to names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../leaks.h"
#include "base/hash.h"
#include "value/living.h"
#include "value/renaming.h"

#define SYMBOLS 4u
#define BITS    3u
#define VALUES  (1u << BITS)
#define LIVING  2u /* the first ones */
#define ALL     (1u << SYMBOLS * BITS)

static struct value_pool *p;
static struct value_solver *s;
static struct evaluator scratch;
static struct expr symbols[SYMBOLS];
static uint64_t chance;

static unsigned below(unsigned n) {
  chance = hash_mix(chance);
  return (unsigned)((chance >> 20) % n);
}

static void begin(uint64_t seed, uint64_t first_name) {
  chance = hash_mix(seed);
  p = value_pool_new();
  s = value_solver_new(p, &(struct value_options){0}, NULL);
  for (unsigned i = 0; i < SYMBOLS; i++) symbols[i] = expr_symbol(p, (struct symbol_name){"0", 0, first_name + i}, BITS);
}

static void end(void) {
  evaluator_release(&scratch);
  scratch = (struct evaluator){0};
  value_solver_free(s);
  value_pool_free(p);
}

static struct expr leaf(void) { return below(3) ? symbols[below(SYMBOLS)] : expr_constant(p, BITS, below(VALUES)); }

static struct expr term(void) {
  static const enum expr_op ops[] = {EXPR_ADD, EXPR_SUB, EXPR_XOR, EXPR_AND, EXPR_MUL};
  switch (below(6)) {
    case 0:
      return expr_binary(p, ops[below(5)], leaf(), leaf());
    case 1:
      return expr_not(p, leaf());
    case 2:
      return expr_concat(p, expr_extract(p, leaf(), 0, 1), expr_extract(p, leaf(), 1, 2));
    default:
      return leaf();
  }
}

static struct expr condition(void) {
  static const enum expr_op ops[] = {EXPR_EQ, EXPR_ULT, EXPR_ULE, EXPR_SLT, EXPR_SLE};
  struct expr e = expr_binary(p, ops[below(5)], term(), term());
  return below(2) ? expr_not(p, e) : e;
}

/* Bit v of the set: values of the living symbols, with which the conditions hold for some values of the others. */
static uint64_t values_of_living(const struct expr *conditions, size_t count) {
  uint64_t set = 0;
  struct value_model m = {0};
  for (unsigned v = 0; v < ALL; v++) {
    bool holds = true;
    value_model_clear(&m);
    for (unsigned i = 0; i < SYMBOLS; i++) value_model_set(&m, expr_the_symbol(p, symbols[i]), v >> i * BITS & (VALUES - 1));
    for (size_t i = 0; i < count && holds; i++) holds = expr_eval(p, conditions[i], &m);
    if (holds) set |= 1ull << (v & (VALUES * VALUES - 1));
  }
  value_model_release(&m);
  return set;
}

static unsigned rounds(void) {
  const char *said = getenv("ROUNDS");
  return said ? (unsigned)atoi(said) : 400;
}

static void reduced_conditions_say_the_same_of_living_symbols(void **state) {
  (void)state;
  size_t before = 0, after = 0;
  for (unsigned round = 0; round < rounds(); round++) {
    begin(round, 0);
    struct living l = {0};
    struct hashmap living = {0};
    for (unsigned i = 0; i < LIVING; i++) hashmap_at(&living, expr_the_symbol(p, symbols[i]).id, 1, NULL);
    for (unsigned n = 1 + below(7); n > 0; n--) *vec_push(&l.conditions) = condition();
    uint64_t set = values_of_living(l.conditions.data, l.conditions.count);
    if (set) { /* they are satisfiable */
      before += l.conditions.count;
      living_reduce(&l, p, s, &scratch, &living);
      assert_true(values_of_living(l.conditions.data, l.conditions.count) == set);
      after += l.conditions.count;
    }
    living_release(&l);
    hashmap_release(&living);
    end();
  }
  assert_true(after < before * 3 / 4); /* else this tests nothing */
}

/* A number that is compared with the one before, for ever: each turn is like the last. */
static void comparisons_with_what_is_gone_end(void **state) {
  (void)state;
  begin(1, 0);
  struct living l = {0};
  struct expr last = expr_constant(p, 8, 0);
  for (unsigned turn = 0; turn < 50; turn++) {
    struct expr now = expr_symbol(p, (struct symbol_name){"0", 1, turn}, 8);
    struct hashmap living = {0};
    hashmap_at(&living, expr_the_symbol(p, now).id, 1, NULL);
    *vec_push(&l.conditions) = expr_binary(p, EXPR_ULT, now, expr_constant(p, 8, 4));
    *vec_push(&l.conditions) = expr_not(p, expr_binary(p, EXPR_EQ, now, expr_binary(p, EXPR_XOR, last, expr_constant(p, 8, 1))));
    living_reduce(&l, p, s, &scratch, &living);
    assert_true(l.conditions.count <= 2);
    hashmap_release(&living);
    last = now;
  }
  living_release(&l);
  end();
}

/* The same expressions over other names have the same hashes, and others have others. */
static void hashes_do_not_depend_on_names(void **state) {
  (void)state;
  for (unsigned round = 0; round < 50; round++) {
    uint64_t hashes[2][4], other = 0;
    for (unsigned k = 0; k < 2; k++) {
      begin(round, k * 1000);
      struct renaming r = {.pool = p};
      for (unsigned i = 0; i < SYMBOLS; i++) renaming_number(&r, expr_the_symbol(p, symbols[i]));
      for (unsigned i = 0; i < 4; i++) hashes[k][i] = renaming_hash(&r, condition());
      struct expr first = condition();
      other = renaming_hash(&r, expr_binary(p, EXPR_SUB, symbols[0], symbols[1]));
      assert_true(other != renaming_hash(&r, expr_binary(p, EXPR_SUB, symbols[1], symbols[0])));
      assert_true(other != renaming_hash(&r, expr_binary(p, EXPR_SUB, symbols[0], symbols[2])));
      assert_true(renaming_hash(&r, first) == renaming_hash(&r, first));
      renaming_release(&r);
      end();
    }
    for (unsigned i = 0; i < 4; i++) assert_true(hashes[0][i] == hashes[1][i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(reduced_conditions_say_the_same_of_living_symbols),
      TEST(comparisons_with_what_is_gone_end),
      TEST(hashes_do_not_depend_on_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
