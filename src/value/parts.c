/* Parts of bit vectors, what has one operand, choices and arrays: simplified, then made. */
#include <assert.h>

#include "value/internal.h"

static struct expr made(struct value_pool *p, enum expr_op op, unsigned width, uint32_t a, uint32_t b, uint32_t c) {
  return (struct expr){node_make(p, op, width, (uint32_t[4]){a, b, c})};
}

static struct expr choice_of(struct value_pool *p, struct expr e, unsigned width, bits128 a, bits128 b) {
  return expr_ite(p, operand(p, e, 0), expr_constant(p, width, a), expr_constant(p, width, b));
}

struct expr expr_not(struct value_pool *p, struct expr a) {
  unsigned w = expr_width(p, a);
  enum expr_op op = expr_op(p, a);
  bits128 x, y;
  if (expr_is_constant(p, a, &x)) return expr_constant(p, w, ~x);
  if (op == EXPR_NOT) return operand(p, a, 0);
  if (op == EXPR_ULT || op == EXPR_SLT) return expr_binary(p, op == EXPR_ULT ? EXPR_ULE : EXPR_SLE, operand(p, a, 1), operand(p, a, 0));
  if (op == EXPR_ULE || op == EXPR_SLE) return expr_binary(p, op == EXPR_ULE ? EXPR_ULT : EXPR_SLT, operand(p, a, 1), operand(p, a, 0));
  if (is_choice(p, a, &x, &y)) return choice_of(p, a, w, ~x, ~y);
  return made(p, EXPR_NOT, w, a.id, 0, 0);
}

struct expr expr_neg(struct value_pool *p, struct expr a) {
  unsigned w = expr_width(p, a);
  bits128 x, y;
  if (expr_is_constant(p, a, &x)) return expr_constant(p, w, -x);
  if (w == 1 || expr_op(p, a) == EXPR_NEG) return w == 1 ? a : operand(p, a, 0);
  if (expr_op(p, a) == EXPR_SUB) return expr_binary(p, EXPR_SUB, operand(p, a, 1), operand(p, a, 0));
  if (is_choice(p, a, &x, &y)) return choice_of(p, a, w, -x, -y);
  return made(p, EXPR_NEG, w, a.id, 0, 0);
}

/* Is `part` the bits of `of` from `from` on? Of a sum with a constant, parts from bit 0 on are sums themselves. */
static bool is_part(struct value_pool *p, struct expr part, struct expr of, unsigned from) {
  unsigned w = expr_width(p, part);
  bits128 c;
  if (expr_op(p, part) == EXPR_EXTRACT && expr_equal(operand(p, part, 0), of) && node_at(p, part.id)->args[1] == from) return true;
  bool sum = from == 0 && expr_op(p, of) == EXPR_ADD && expr_is_constant(p, operand(p, of, 1), &c);
  return sum && expr_equal(expr_extract(p, of, 0, w), part);
}

/* Two neighbouring parts that are one: constants, or extracts of the same. */
static bool join(struct value_pool *p, struct expr high, struct expr low, struct expr *whole) {
  unsigned h = expr_width(p, high), l = expr_width(p, low);
  bits128 x, y;
  if (expr_is_constant(p, high, &x) && expr_is_constant(p, low, &y)) return *whole = expr_constant(p, h + l, x << l | y), true;
  if (expr_op(p, high) != EXPR_EXTRACT) return false;
  struct expr of = operand(p, high, 0);
  uint32_t from = node_at(p, high.id)->args[1];
  if (from < l || !is_part(p, low, of, from - l)) return false;
  return *whole = expr_extract(p, of, from - l, h + l), true;
}

/* The same of two choices by one condition. */
static bool join_choices(struct value_pool *p, struct expr high, struct expr low, struct expr *whole) {
  struct expr a, b;
  if (expr_op(p, high) != EXPR_ITE || expr_op(p, low) != EXPR_ITE) return false;
  struct expr c = operand(p, high, 0);
  if (!expr_equal(operand(p, low, 0), c)) return false;
  if (!join(p, operand(p, high, 1), operand(p, low, 1), &a) || !join(p, operand(p, high, 2), operand(p, low, 2), &b)) return false;
  return *whole = expr_ite(p, c, a, b), true;
}

/* Is `high` the sign of `low`, in each of its bits, or are both what a number becomes that is widened by its sign? */
static bool join_sign(struct value_pool *p, struct expr high, struct expr low, struct expr *whole) {
  unsigned w = expr_width(p, high) + expr_width(p, low), l = expr_width(p, low);
  struct expr part = expr_op(p, high) == EXPR_SEXT ? operand(p, high, 0) : high;
  bool bit = expr_width(p, part) == 1 && expr_equal(part, expr_extract(p, low, l - 1, 1));
  if (!bit && (expr_equal(part, high) || !join(p, part, low, whole))) return false;
  return *whole = expr_sext(p, bit ? low : *whole, w), true;
}

struct expr expr_concat(struct value_pool *p, struct expr high, struct expr low) {
  unsigned w = expr_width(p, high) + expr_width(p, low);
  assert(w <= EXPR_MAX_WIDTH);
  bits128 x;
  struct expr whole;
  if (join(p, high, low, &whole)) return whole;
  if (expr_is_constant(p, high, &x) && x == 0) return expr_zext(p, low, w);
  if (expr_op(p, high) == EXPR_ZEXT) return expr_zext(p, expr_concat(p, operand(p, high, 0), low), w);
  if (expr_op(p, high) == EXPR_CONCAT) return expr_concat(p, operand(p, high, 0), expr_concat(p, operand(p, high, 1), low));
  if (expr_op(p, low) == EXPR_CONCAT && join(p, high, operand(p, low, 0), &whole)) return expr_concat(p, whole, operand(p, low, 1));
  if (join_choices(p, high, low, &whole) || join_sign(p, high, low, &whole)) return whole;
  return made(p, EXPR_CONCAT, w, high.id, low.id, 0);
}

static struct expr extract_of_concat(struct value_pool *p, struct expr a, unsigned low, unsigned width) {
  struct expr x = operand(p, a, 0), y = operand(p, a, 1);
  unsigned border = expr_width(p, y);
  if (low >= border) return expr_extract(p, x, low - border, width);
  if (low + width <= border) return expr_extract(p, y, low, width);
  return expr_concat(p, expr_extract(p, x, 0, low + width - border), expr_extract(p, y, low, border - low));
}

static struct expr extract_of_wider(struct value_pool *p, struct expr a, unsigned low, unsigned width) {
  bool sign = expr_op(p, a) == EXPR_SEXT;
  struct expr x = operand(p, a, 0);
  unsigned inner = expr_width(p, x);
  if (low + width <= inner) return expr_extract(p, x, low, width);
  if (low >= inner) return sign ? expr_sext(p, expr_extract(p, x, inner - 1, 1), width) : expr_constant(p, width, 0);
  struct expr part = expr_extract(p, x, low, inner - low);
  return sign ? expr_sext(p, part, width) : expr_zext(p, part, width);
}

struct expr expr_extract(struct value_pool *p, struct expr a, unsigned low, unsigned width) {
  assert(width >= 1 && low + width <= expr_width(p, a));
  bits128 x, y;
  enum expr_op op = expr_op(p, a);
  if (width == expr_width(p, a)) return a;
  if (expr_is_constant(p, a, &x)) return expr_constant(p, width, x >> low);
  if (op == EXPR_EXTRACT) return expr_extract(p, operand(p, a, 0), low + node_at(p, a.id)->args[1], width);
  if (op == EXPR_CONCAT) return extract_of_concat(p, a, low, width);
  if (op == EXPR_ZEXT || op == EXPR_SEXT) return extract_of_wider(p, a, low, width);
  if (is_choice(p, a, &x, &y)) return choice_of(p, a, width, x >> low, y >> low);
  bool bitwise = op == EXPR_AND || op == EXPR_OR || op == EXPR_XOR;
  if ((bitwise || (low == 0 && op == EXPR_ADD)) && expr_is_constant(p, operand(p, a, 1), &y))
    return expr_binary(p, op, expr_extract(p, operand(p, a, 0), low, width), expr_constant(p, width, y >> low));
  return made(p, EXPR_EXTRACT, width, a.id, low, 0);
}

struct expr expr_zext(struct value_pool *p, struct expr a, unsigned width) {
  assert(width >= expr_width(p, a) && width <= EXPR_MAX_WIDTH);
  bits128 x, y;
  if (width == expr_width(p, a)) return a;
  if (expr_is_constant(p, a, &x)) return expr_constant(p, width, x);
  if (expr_op(p, a) == EXPR_ZEXT) return expr_zext(p, operand(p, a, 0), width);
  if (is_choice(p, a, &x, &y)) return choice_of(p, a, width, x, y);
  return made(p, EXPR_ZEXT, width, a.id, 0, 0);
}

struct expr expr_sext(struct value_pool *p, struct expr a, unsigned width) {
  unsigned w = expr_width(p, a);
  assert(width >= w && width <= EXPR_MAX_WIDTH);
  bits128 x, y;
  if (width == w) return a;
  if (expr_is_constant(p, a, &x)) return expr_constant(p, width, bits_sext(x, w, width));
  if (expr_op(p, a) == EXPR_SEXT) return expr_sext(p, operand(p, a, 0), width);
  if (expr_op(p, a) == EXPR_ZEXT) return expr_zext(p, operand(p, a, 0), width);
  if (is_choice(p, a, &x, &y)) return choice_of(p, a, width, bits_sext(x, w, width), bits_sext(y, w, width));
  return made(p, EXPR_SEXT, width, a.id, 0, 0);
}

/* One bit, chosen: the logic of conditions. */
static struct expr ite_of_bits(struct value_pool *p, struct expr c, struct expr a, struct expr b) {
  bits128 x;
  if (expr_is_constant(p, a, &x)) return x ? expr_binary(p, EXPR_OR, c, b) : expr_binary(p, EXPR_AND, expr_not(p, c), b);
  if (expr_is_constant(p, b, &x)) return x ? expr_binary(p, EXPR_OR, expr_not(p, c), a) : expr_binary(p, EXPR_AND, c, a);
  return made(p, EXPR_ITE, 1, c.id, a.id, b.id);
}

struct expr expr_ite(struct value_pool *p, struct expr c, struct expr a, struct expr b) {
  unsigned w = expr_width(p, a);
  assert(expr_width(p, c) == 1 && w == expr_width(p, b));
  bits128 x;
  if (expr_is_constant(p, c, &x)) return x ? a : b;
  if (expr_equal(a, b)) return a;
  if (expr_op(p, c) == EXPR_NOT) return expr_ite(p, operand(p, c, 0), b, a);
  if (expr_op(p, a) == EXPR_ITE && expr_equal(operand(p, a, 0), c)) return expr_ite(p, c, operand(p, a, 1), b);
  if (expr_op(p, b) == EXPR_ITE && expr_equal(operand(p, b, 0), c)) return expr_ite(p, c, a, operand(p, b, 2));
  return w == 1 ? ite_of_bits(p, c, a, b) : made(p, EXPR_ITE, w, c.id, a.id, b.id);
}

struct expr_array expr_array_constant(struct value_pool *p, struct expr byte) {
  assert(expr_width(p, byte) == 8);
  return (struct expr_array){made(p, EXPR_ARRAY_CONSTANT, 0, byte.id, 0, 0).id};
}

/* Are they the same index? False: who knows. Constants, of which tables have many, are compared as they are. */
static bool same_index(struct value_pool *p, struct expr a, struct expr b, bits128 *same) {
  bits128 x, y;
  if (!expr_is_constant(p, a, &x) || !expr_is_constant(p, b, &y)) return expr_is_constant(p, expr_binary(p, EXPR_EQ, a, b), same);
  *same = x == y;
  return true;
}

struct expr expr_select(struct value_pool *p, struct expr_array array, struct expr index) {
  assert(expr_width(p, index) == ARRAY_INDEX_WIDTH);
  for (;;) {
    struct expr a = {array.id};
    if (expr_op(p, a) == EXPR_ARRAY_CONSTANT) return operand(p, a, 0);
    if (expr_op(p, a) != EXPR_STORE) break;
    bits128 same;
    if (!same_index(p, operand(p, a, 1), index, &same)) break;
    if (same) return operand(p, a, 2);
    array.id = operand(p, a, 0).id; /* what was stored elsewhere */
  }
  return made(p, EXPR_SELECT, 8, array.id, index.id, 0);
}

struct expr_array expr_store(struct value_pool *p, struct expr_array array, struct expr index, struct expr byte) {
  assert(expr_width(p, index) == ARRAY_INDEX_WIDTH && expr_width(p, byte) == 8);
  struct expr a = {array.id};
  if (expr_op(p, a) == EXPR_STORE && expr_equal(operand(p, a, 1), index)) array.id = operand(p, a, 0).id;
  if (expr_equal(expr_select(p, array, index), byte)) return array; /* it is there already */
  return (struct expr_array){made(p, EXPR_STORE, 0, array.id, index.id, byte.id).id};
}
