/* Expressions as bytes: another pool has the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../leaks.h"
#include "value/expr_wire.h"

enum { MANY = 300 };

static uint64_t random_state = 1;

static unsigned below(unsigned n) {
  random_state = hash_mix(random_state);
  return (unsigned)((random_state >> 20) % n);
}

/* Of 8 and 64 bits and 1, and arrays, each made of others. */
struct some {
  struct value_pool *p;
  VEC(struct expr) bytes, words, conditions;
  VEC(struct expr_array) arrays;
};

static struct expr of(struct value_pool *p, unsigned width, struct expr a, struct expr b, struct expr condition) {
  switch (below(8)) {
    case 0:
      return expr_ite(p, condition, a, b);
    case 1:
      return expr_sext(p, expr_extract(p, a, 1, 3), width);
    case 2:
      return expr_concat(p, expr_extract(p, a, 0, width / 2), expr_extract(p, b, width / 4, width - width / 2));
    case 3:
      return below(2) ? expr_not(p, a) : expr_neg(p, a);
    default:
      return expr_binary(p, (enum expr_op)(EXPR_ADD + below(EXPR_ASHR - EXPR_ADD + 1)), a, b);
  }
}

static void make(struct some *s, unsigned count) {
  struct value_pool *p = s->p;
  for (unsigned i = 0; i < 3; i++) {
    *vec_push(&s->bytes) = expr_symbol(p, (struct symbol_name){"0.1", i, 0}, 8);
    *vec_push(&s->words) = expr_symbol(p, (struct symbol_name){"0", UINT64_MAX - i, i}, 64);
    *vec_push(&s->conditions) = expr_symbol(p, (struct symbol_name){"0.2", i, 7}, 1);
  }
  *vec_push(&s->bytes) = expr_constant(p, 8, 200);
  *vec_push(&s->words) = expr_constant(p, 64, UINT64_MAX / 3);
  *vec_push(&s->arrays) = expr_array_symbol(p, (struct symbol_name){"0", 1, 1});
  *vec_push(&s->arrays) = expr_array_constant(p, s->bytes.data[0]);
  for (unsigned i = 0; i < count; i++) {
    struct expr a = s->bytes.data[below((unsigned)s->bytes.count)], b = s->bytes.data[below((unsigned)s->bytes.count)];
    struct expr x = s->words.data[below((unsigned)s->words.count)], y = s->words.data[below((unsigned)s->words.count)];
    struct expr c = s->conditions.data[below((unsigned)s->conditions.count)];
    struct expr_array from = s->arrays.data[below((unsigned)s->arrays.count)];
    *vec_push(&s->bytes) = below(4) ? of(p, 8, a, b, c) : expr_select(p, from, x);
    *vec_push(&s->words) = below(4) ? of(p, 64, x, y, c) : expr_zext(p, a, 64);
    *vec_push(&s->conditions) = expr_binary(p, (enum expr_op)(EXPR_EQ + below(EXPR_SLE - EXPR_EQ + 1)), x, y);
    *vec_push(&s->arrays) = expr_store(p, from, x, b);
  }
}

static void release(struct some *s) {
  vec_release(&s->bytes);
  vec_release(&s->words);
  vec_release(&s->conditions);
  vec_release(&s->arrays);
  value_pool_free(s->p);
}

static void put(const struct some *s, struct text *out) {
  struct expr_writer w = {.pool = s->p};
  struct text numbers = {0};
  for (size_t i = 0; i < s->words.count; i++) {
    wire_put_number(&numbers, expr_write(&w, s->words.data[i]));
    wire_put_number(&numbers, expr_write(&w, s->bytes.data[i]));
    wire_put_number(&numbers, expr_write(&w, s->conditions.data[i % s->conditions.count]));
  }
  wire_put_number(&numbers, expr_write_array(&w, vec_last(&s->arrays)));
  wire_put_number(&numbers, expr_write(&w, s->words.data[0]));
  expr_writer_put(&w, out);
  text_append(out, text_str(&numbers), numbers.count);
  expr_writer_release(&w);
  text_release(&numbers);
}

static void same(const struct some *s, struct expr a, const struct expr_reader *r, struct expr b) {
  assert_true(fingerprint_equal(expr_hash(s->p, a), expr_hash(r->pool, b)));
  assert_int_equal(expr_width(s->p, a), expr_width(r->pool, b));
}

static void what_is_read_is_what_was_written(void **state) {
  (void)state;
  struct some s = {.p = value_pool_new()};
  struct text bytes = {0};
  make(&s, MANY);
  put(&s, &bytes);
  struct expr_reader r = {.pool = value_pool_new()};
  for (uint64_t i = 9; i-- > 0;) (void)expr_symbol(r.pool, (struct symbol_name){"0", UINT64_MAX - i, i}, 64); /* other ids than there */
  struct wire from = {bytes.data, bytes.data + bytes.count, false};
  assert_true(expr_reader_get(&r, &from));
  for (size_t i = 0; i < s.words.count; i++) {
    same(&s, s.words.data[i], &r, expr_read(&r, &from, 64));
    same(&s, s.bytes.data[i], &r, expr_read(&r, &from, 8));
    same(&s, s.conditions.data[i % s.conditions.count], &r, expr_read(&r, &from, 1));
  }
  struct expr array = expr_read(&r, &from, 0);
  assert_true(fingerprint_equal(expr_array_hash(s.p, vec_last(&s.arrays)), expr_hash(r.pool, array)));
  struct symbol symbol = expr_read_symbol(&r, &from);
  assert_int_equal(symbol_name(r.pool, symbol).place, UINT64_MAX);
  assert_false(from.bad);
  assert_ptr_equal(from.at, from.end);
  value_pool_free(r.pool);
  expr_reader_release(&r);
  release(&s);
  text_release(&bytes);
}

/* Some of that is still an expression; what is not is refused. */
static void damaged_bytes_are_expressions_or_nothing(void **state) {
  (void)state;
  struct some s = {.p = value_pool_new()};
  struct text bytes = {0};
  unsigned refused = 0;
  make(&s, 40);
  put(&s, &bytes);
  for (size_t i = 0; i < 2 * bytes.count; i++) {
    char kept = bytes.data[i / 2];
    if (i % 2) bytes.data[i / 2] = (char)(kept ^ 1 << below(8));
    struct expr_reader r = {.pool = value_pool_new()};
    struct wire from = {bytes.data, i % 2 ? bytes.data + bytes.count : bytes.data + i / 2, false};
    bool ok = expr_reader_get(&r, &from);
    while (ok && from.at < from.end && !from.bad) (void)expr_read(&r, &from, below(2) ? 8 : 64);
    refused += !ok;
    value_pool_free(r.pool);
    expr_reader_release(&r);
    bytes.data[i / 2] = kept;
  }
  assert_true(refused > bytes.count / 2);
  release(&s);
  text_release(&bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(what_is_read_is_what_was_written),
      TEST(damaged_bytes_are_expressions_or_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
