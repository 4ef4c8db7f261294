/* Paths: what is shared, what is split, what ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../leaks.h"
#include "value/path.h"

static struct value_pool *p;
static struct expr x, y; /* 8 bits */

static void begin(void) {
  p = value_pool_new();
  x = expr_symbol(p, (struct symbol_name){"0", 5, 0}, 8);
  y = expr_symbol(p, (struct symbol_name){"0", 5, 1}, 8);
}

static struct expr below(struct expr e, bits128 v) { return expr_binary(p, EXPR_ULT, e, expr_constant(p, 8, v)); }
static struct expr is(struct expr e, bits128 v) { return expr_binary(p, EXPR_EQ, e, expr_constant(p, 8, v)); }

static void extensions_share_what_is_before_them(void **state) {
  (void)state;
  begin();
  struct path *first = path_extend(p, NULL, below(x, 9));
  size_t before = mem_live();
  struct path *a = path_extend(p, first, below(x, 3)), *b = path_extend(p, first, below(x, 4));
  assert_ptr_equal(a->before, first);
  assert_ptr_equal(b->before, first);
  assert_int_equal(path_length(a), 2);
  assert_int_equal(first->references, 3);
  assert_int_equal(mem_live() - before, 2 * sizeof *a);
  path_release(first);
  path_release(a);
  assert_int_equal(b->before->references, 1);
  path_release(b);
  value_pool_free(p);
}

static void an_extension_costs_the_same_at_any_length(void **state) {
  (void)state;
  begin();
  struct expr conditions[64];
  for (unsigned i = 0; i < 64; i++) conditions[i] = below(expr_binary(p, EXPR_ADD, x, expr_constant(p, 8, i)), 100);
  struct path *path = NULL;
  for (unsigned i = 0; i < 64; i++) {
    size_t before = mem_live();
    struct path *longer = path_extend(p, path, conditions[i]);
    assert_int_equal(mem_live() - before, sizeof *longer);
    path_release(path);
    path = longer;
  }
  path_release(path);
  value_pool_free(p);
}

static void conjunctions_are_split(void **state) {
  (void)state;
  begin();
  struct expr a = below(x, 9), b = below(y, 9), c = is(x, 4);
  struct expr all = expr_binary(p, EXPR_AND, a, expr_binary(p, EXPR_AND, b, c));
  struct path *path = path_extend(p, NULL, all);
  assert_int_equal(path_length(path), 3);
  for (const struct path *at = path; at; at = at->before)
    assert_true(at->condition.id == a.id || at->condition.id == b.id || at->condition.id == c.id);
  path_release(path);
  path = path_extend(p, NULL, expr_not(p, expr_binary(p, EXPR_OR, a, b)));
  assert_int_equal(path_length(path), 2);
  path_release(path);
  /* No bit of the differences is 1. */
  struct expr differences = expr_binary(p, EXPR_OR, expr_binary(p, EXPR_XOR, x, expr_constant(p, 8, 4)), expr_binary(p, EXPR_XOR, y, x));
  path = path_extend(p, NULL, is(differences, 0));
  assert_int_equal(path_length(path), 2);
  for (const struct path *at = path; at; at = at->before) assert_int_not_equal(expr_op(p, at->condition), EXPR_OR);
  path_release(path);
  value_pool_free(p);
}

static void what_is_true_adds_nothing(void **state) {
  (void)state;
  begin();
  struct path *path = path_extend(p, NULL, expr_constant(p, 1, 1));
  assert_null(path);
  path = path_extend(p, NULL, below(x, 9));
  struct path *same = path_extend(p, path, expr_binary(p, EXPR_EQ, x, x));
  assert_ptr_equal(path, same);
  assert_int_equal(path->references, 2);
  path_release(path);
  path_release(same);
  value_pool_free(p);
}

static void false_ends_a_path(void **state) {
  (void)state;
  begin();
  struct path *path = path_extend(p, NULL, below(x, 9));
  struct path *end = path_extend(p, path, expr_constant(p, 1, 0));
  assert_false(path_is_impossible(path));
  assert_true(path_is_impossible(end));
  struct path *longer = path_extend(p, end, below(y, 3));
  assert_ptr_equal(longer, end);
  path_release(longer);
  path_release(end);
  path_release(path);
  value_pool_free(p);
}

static void long_paths_are_released_without_recursion(void **state) {
  (void)state;
  begin();
  struct path *path = NULL;
  for (unsigned i = 0; i < 1000000; i++) {
    struct path *longer = path_extend(p, path, below(i % 2 ? x : y, 9));
    path_release(path);
    path = longer;
  }
  assert_int_equal(path_length(path), 1000000);
  path_release(path);
  value_pool_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(extensions_share_what_is_before_them),
      TEST(an_extension_costs_the_same_at_any_length),
      TEST(conjunctions_are_split),
      TEST(what_is_true_adds_nothing),
      TEST(false_ends_a_path),
      TEST(long_paths_are_released_without_recursion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
