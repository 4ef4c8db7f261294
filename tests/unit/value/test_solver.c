/* The solver: what it answers, what it leaves alone, what it says when it gives up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../leaks.h"
#include "base/err.h"
#include "base/hash.h"
#include "value/solver.h"

static struct value_pool *p;
static struct value_solver *s;
static struct expr x, y, z; /* 32 bits */

static void begin_with(struct value_options options) {
  struct diag d = {0};
  p = value_pool_new();
  s = value_solver_new(p, &options, &d);
  assert_non_null(s);
  x = expr_symbol(p, (struct symbol_name){"0", 5, 0}, 32);
  y = expr_symbol(p, (struct symbol_name){"0", 5, 1}, 32);
  z = expr_symbol(p, (struct symbol_name){"0", 5, 2}, 32);
}

static void begin(void) { begin_with((struct value_options){0}); }

static void end(struct path *path) {
  path_release(path);
  value_solver_free(s);
  value_pool_free(p);
}

static struct expr number(bits128 v) { return expr_constant(p, 32, v); }
static struct expr op(enum expr_op o, struct expr a, struct expr b) { return expr_binary(p, o, a, b); }
static struct expr below(struct expr e, bits128 v) { return op(EXPR_ULT, e, number(v)); }
static struct expr is(struct expr e, bits128 v) { return op(EXPR_EQ, e, number(v)); }

/* Takes `path` over. */
static struct path * and (struct path * path, struct expr c) {
  struct path *longer = path_extend(p, path, c);
  path_release(path);
  return longer;
}

static bits128 of(const struct value_model *m, struct expr symbol) { return value_model_get(m, expr_the_symbol(p, symbol)); }

static void one_value_of_many_is_found(void **state) {
  (void)state;
  for (int engine = VALUE_BITS; engine <= VALUE_Z3; engine++) {
    begin_with((struct value_options){.engine = (enum value_engine)engine});
    struct expr hash = op(EXPR_XOR, op(EXPR_MUL, x, number(0x9e3779b1)), op(EXPR_LSHR, x, number(15)));
    struct path *path = and(NULL, is(hash, 0xc0ffee));
    struct value_model m = {0};
    assert_int_equal(value_model(s, path, &m), VALUE_YES);
    assert_true(expr_eval(p, hash, &m) == 0xc0ffee);
    value_model_release(&m);
    end(path);
  }
}

static void what_must_be_follows_from_the_path(void **state) {
  (void)state;
  begin();
  struct path *path = and(and(NULL, op(EXPR_ULT, x, y)), op(EXPR_ULT, y, z));
  assert_int_equal(value_must(s, path, op(EXPR_ULT, x, z)), VALUE_YES);
  assert_int_equal(value_must(s, path, op(EXPR_ULT, x, number(7))), VALUE_NO);
  assert_int_equal(value_may(s, path, op(EXPR_ULE, z, x), NULL), VALUE_NO);
  end(path);
}

static void a_path_that_is_impossible_is_said_to_be(void **state) {
  (void)state;
  begin();
  struct path *path = and(and(NULL, op(EXPR_ULT, x, y)), op(EXPR_ULT, y, x));
  struct value_model m = {0};
  assert_false(path_is_impossible(path)); /* nobody asked */
  assert_int_equal(value_may(s, path, is(z, 3), NULL), VALUE_NO);
  assert_true(path_is_impossible(path));
  assert_int_equal(value_must(s, path, is(z, 3)), VALUE_YES);
  assert_int_equal(value_model(s, path, &m), VALUE_NO);
  value_model_release(&m);
  end(path);
}

static void a_model_keeps_what_the_question_does_not_need(void **state) {
  (void)state;
  begin();
  struct path *path = and(and(NULL, op(EXPR_ULT, x, y)), below(z, 100));
  struct value_model m = {0};
  value_model_set(&m, expr_the_symbol(p, y), 50);
  value_model_set(&m, expr_the_symbol(p, z), 77);
  assert_int_equal(value_may(s, path, is(x, 1000), &m), VALUE_YES);
  assert_true(of(&m, x) == 1000 && of(&m, y) > 1000 && of(&m, z) == 77);
  assert_int_equal(value_may(s, path, op(EXPR_EQ, y, x), &m), VALUE_NO);
  assert_true(of(&m, x) == 1000 && of(&m, z) == 77);
  assert_int_equal(value_model(s, path, &m), VALUE_YES); /* it satisfies the path, so it stays */
  assert_true(of(&m, x) == 1000 && of(&m, z) == 77);
  value_model_release(&m);
  end(path);
}

static void a_symbol_that_is_fixed_is_its_constant(void **state) {
  (void)state;
  begin();
  struct path *path = and(and(NULL, op(EXPR_ULT, x, y)), is(x, 5));
  assert_int_equal(value_may(s, path, below(op(EXPR_MUL, x, x), 25), NULL), VALUE_NO);
  assert_int_equal(value_solver_counters(s)->simplified, 1);
  assert_int_equal(value_must(s, path, op(EXPR_ULT, number(5), y)), VALUE_YES);
  end(path);
}

static void bytes_of_arrays_are_found(void **state) {
  (void)state;
  for (int engine = VALUE_BITS; engine <= VALUE_Z3; engine++) {
    begin_with((struct value_options){.engine = (enum value_engine)engine});
    struct expr_array a = expr_array_symbol(p, (struct symbol_name){"0", 9, 0});
    struct expr i = expr_zext(p, x, 64), j = expr_zext(p, y, 64), byte = expr_constant(p, 8, 200);
    struct expr_array b = expr_store(p, a, i, byte);
    struct path *path = and(NULL, op(EXPR_EQ, expr_select(p, b, j), expr_constant(p, 8, 7)));
    path = and(path, op(EXPR_EQ, expr_select(p, a, expr_constant(p, 64, 3)), expr_constant(p, 8, 8)));
    assert_int_equal(value_may(s, path, op(EXPR_EQ, x, y), NULL), VALUE_NO);
    assert_int_equal(value_may(s, path, is(y, 3), NULL), VALUE_NO);
    struct value_model m = {0};
    assert_int_equal(value_may(s, path, op(EXPR_AND, is(y, 4), below(x, 2)), &m), VALUE_YES);
    assert_int_equal(value_model_get_byte(&m, expr_array_the_symbol(p, a), 4), 7);
    assert_int_equal(value_model_get_byte(&m, expr_array_the_symbol(p, a), 3), 8);
    value_model_release(&m);
    end(path);
  }
}

/* The factors of a product of two primes. */
static void a_limit_ends_a_question_that_a_larger_one_answers(void **state) {
  (void)state;
  for (int engine = VALUE_BITS; engine <= VALUE_Z3; engine++) {
    begin_with((struct value_options){.engine = (enum value_engine)engine, .work = 1});
    struct path *path = and(and(NULL, below(x, 1u << 11)), below(y, 1u << 11));
    path = and(and(path, op(EXPR_ULT, number(1), x)), op(EXPR_ULE, x, y));
    assert_int_equal(value_may(s, path, is(op(EXPR_MUL, x, y), 1999u * 2003u), NULL), VALUE_UNKNOWN);
    assert_int_equal(value_solver_reason(s), VALUE_REASON_LIMIT);
    assert_string_equal(value_reason_text(value_solver_reason(s)), "the solver's limit of work was reached");
    value_solver_set_work(s, 1000000);
    struct value_model m = {0};
    assert_int_equal(value_model(s, path, &m), VALUE_YES);
    assert_int_equal(value_may(s, path, is(op(EXPR_MUL, x, y), 1999u * 2003u), &m), VALUE_YES);
    assert_true(of(&m, x) == 1999 && of(&m, y) == 2003);
    assert_int_equal(value_solver_reason(s), VALUE_REASON_NONE);
    value_model_release(&m);
    end(path);
  }
}

/* x = y + 1, y = 3 z, z = 4 x: the last one is left, as a condition. */
static void symbols_may_define_each_other(void **state) {
  (void)state;
  begin();
  struct path *path = and(NULL, op(EXPR_EQ, x, op(EXPR_ADD, y, number(1))));
  path = and(path, op(EXPR_EQ, y, op(EXPR_MUL, z, number(3))));
  path = and(path, op(EXPR_EQ, z, op(EXPR_MUL, x, number(4))));
  struct value_model m = {0};
  assert_int_equal(value_model(s, path, &m), VALUE_YES);
  for (const struct path *at = path; at; at = at->before) assert_true(expr_eval(p, at->condition, &m) == 1);
  assert_int_equal(value_solver_counters(s)->definitions, 2);
  value_model_release(&m);
  assert_int_equal(value_may(s, path, expr_not(p, expr_extract(p, x, 0, 1)), NULL), VALUE_NO); /* -11 x = 1 */
  end(path);
}

/* Layers, by their counters. */

static void only_what_shares_symbols_is_asked(void **state) {
  (void)state;
  begin();
  struct path *path = and(and(and(NULL, op(EXPR_ULT, x, y)), below(z, 9)), below(y, 50));
  struct value_model m = {0};
  assert_int_equal(value_model(s, path, &m), VALUE_YES);
  value_model_release(&m);
  struct value_counters before = *value_solver_counters(s);
  assert_int_equal(value_may(s, path, below(z, 4), NULL), VALUE_YES);
  assert_int_equal(value_solver_counters(s)->group_conditions - before.group_conditions, 2);
  assert_int_equal(value_may(s, path, is(x, 48), NULL), VALUE_YES);
  assert_int_equal(value_solver_counters(s)->group_conditions - before.group_conditions, 2 + 3);
  end(path);
}

static void what_was_asked_is_known(void **state) {
  (void)state;
  begin();
  struct expr square = is(op(EXPR_MUL, x, x), 49), odd = expr_extract(p, x, 0, 1), even = expr_not(p, odd);
  struct path *path = and(NULL, square);
  assert_int_equal(value_may(s, path, even, NULL), VALUE_NO);
  uint64_t asked = value_solver_counters(s)->engine_yes + value_solver_counters(s)->engine_no;
  assert_int_equal(value_may(s, path, even, NULL), VALUE_NO);
  assert_int_equal(value_solver_counters(s)->same_set, 1);
  path = and(path, below(x, 1u << 31));
  assert_int_equal(value_may(s, path, odd, NULL), VALUE_YES);
  assert_int_equal(value_may(s, path, even, NULL), VALUE_NO);
  assert_int_equal(value_solver_counters(s)->impossible_part, 1);
  assert_int_equal(value_must(s, path, square), VALUE_YES);
  assert_int_equal(value_solver_counters(s)->in_path, 1);
  assert_true(value_solver_counters(s)->engine_yes + value_solver_counters(s)->engine_no <= asked + 1);
  end(path);
}

static void going_back_and_forth_between_paths_changes_no_answer(void **state) {
  (void)state;
  begin();
  struct path *trunk = and(NULL, op(EXPR_ULT, x, y));
  struct path *a = path_extend(p, trunk, is(y, 1)), *b = path_extend(p, trunk, op(EXPR_ULT, y, z));
  for (int i = 0; i < 3; i++) {
    assert_int_equal(value_must(s, a, is(x, 0)), VALUE_YES);
    assert_int_equal(value_must(s, b, is(x, 0)), VALUE_NO);
    assert_int_equal(value_must(s, b, op(EXPR_ULT, x, z)), VALUE_YES);
    assert_int_equal(value_may(s, trunk, op(EXPR_ULE, z, x), NULL), VALUE_YES);
  }
  path_release(a);
  path_release(b);
  end(trunk);
}

/* --- chains of equations, as defined symbols make them, with bounds and words of several symbols --- */

enum { SMALL = 5, SMALL_BITS = 2, ASSIGNMENTS = 1 << (SMALL * SMALL_BITS) };
static struct expr small[SMALL];
static uint64_t random_state;

static unsigned some(unsigned n) {
  random_state = hash_mix(random_state);
  return (unsigned)((random_state >> 20) % n);
}

static struct expr some_small(void) { return small[some(SMALL)]; }

static struct expr some_condition(void) {
  struct expr a = some_small(), b = some_small(), c = expr_constant(p, SMALL_BITS, some(1 << SMALL_BITS));
  switch (some(9)) {
    case 0:
    case 1:
    case 2:
      return op(EXPR_EQ, a, b);
    case 3:
      return op(EXPR_EQ, a, op(some(2) ? EXPR_ADD : EXPR_MUL, b, some(2) ? c : some_small()));
    case 4:
      return op(EXPR_EQ, expr_concat(p, a, b), expr_concat(p, some_small(), some_small()));
    case 5:
      return op(EXPR_EQ, expr_concat(p, a, b), expr_zext(p, op(EXPR_MUL, some_small(), some_small()), 2 * SMALL_BITS));
    case 6:
      return op(some(2) ? EXPR_ULT : EXPR_SLE, some(2) ? c : a, b);
    case 7:
      return op(EXPR_ULE, a, some(2) ? c : b);
    default:
      return expr_not(p, op(EXPR_EQ, a, some(2) ? b : c));
  }
}

/* Is there an assignment under which all hold? */
static bool holds_somewhere(const struct expr *conditions, size_t count) {
  for (unsigned v = 0; v < ASSIGNMENTS; v++) {
    struct value_model m = {0};
    bool all = true;
    for (unsigned i = 0; i < SMALL; i++) value_model_set(&m, expr_the_symbol(p, small[i]), v >> (i * SMALL_BITS) & 3);
    for (size_t i = 0; i < count && all; i++) all = expr_eval(p, conditions[i], &m);
    value_model_release(&m);
    if (all) return true;
  }
  return false;
}

/* Sets with parts in common are asked about, so what is kept as a part that cannot hold is used. */
static void equations_in_chains_are_decided_as_by_trying_all(void **state) {
  (void)state;
  enum { POOL = 14 };
  for (uint64_t round = 1; round <= 150; round++) {
    begin();
    random_state = hash_mix(round);
    for (unsigned i = 0; i < SMALL; i++) small[i] = expr_symbol(p, (struct symbol_name){"0", 9, i}, SMALL_BITS);
    struct expr all[POOL], set[POOL];
    for (unsigned i = 0; i < POOL; i++) all[i] = some_condition();
    for (unsigned question = 0; question < 40; question++) {
      struct path *path = NULL;
      size_t count = 0;
      for (unsigned i = 0; i < POOL; i++)
        if (some(2)) set[count++] = all[i];
      if (!count) continue;
      for (size_t i = 0; i + 1 < count; i++) path = and(path, set[i]);
      assert_int_equal(value_may(s, path, set[count - 1], NULL), holds_somewhere(set, count) ? VALUE_YES : VALUE_NO);
      path_release(path);
    }
    end(NULL);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(one_value_of_many_is_found),
      TEST(what_must_be_follows_from_the_path),
      TEST(a_path_that_is_impossible_is_said_to_be),
      TEST(a_model_keeps_what_the_question_does_not_need),
      TEST(a_symbol_that_is_fixed_is_its_constant),
      TEST(bytes_of_arrays_are_found),
      TEST(a_limit_ends_a_question_that_a_larger_one_answers),
      TEST(symbols_may_define_each_other),
      TEST(only_what_shares_symbols_is_asked),
      TEST(what_was_asked_is_known),
      TEST(going_back_and_forth_between_paths_changes_no_answer),
      TEST(equations_in_chains_are_decided_as_by_trying_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
