/* Binary operators: folded, simplified, then made. */
#include <assert.h>

#include "value/internal.h"

bits128 bits_apply(enum expr_op op, unsigned w, bits128 a, bits128 b) {
  switch ((int)op) {
    case EXPR_ADD:
      return bits_trim(a + b, w);
    case EXPR_SUB:
      return bits_trim(a - b, w);
    case EXPR_MUL:
      return bits_trim(a * b, w);
    case EXPR_UDIV:
      return bits_udiv(a, b, w);
    case EXPR_SDIV:
      return bits_sdiv(a, b, w);
    case EXPR_UREM:
      return bits_urem(a, b);
    case EXPR_SREM:
      return bits_srem(a, b, w);
    case EXPR_AND:
      return a & b;
    case EXPR_OR:
      return a | b;
    case EXPR_XOR:
      return a ^ b;
    case EXPR_SHL:
      return bits_shl(a, b, w);
    case EXPR_LSHR:
      return bits_lshr(a, b, w);
    case EXPR_ASHR:
      return bits_ashr(a, b, w);
    case EXPR_EQ:
      return a == b;
    case EXPR_ULT:
      return a < b;
    case EXPR_ULE:
      return a <= b;
    case EXPR_SLT:
      return bits_slt(a, b, w);
    case EXPR_SLE:
      return !bits_slt(b, a, w);
  }
  assert(false); /* no binary operator */
  return 0;
}

static bool commutes(enum expr_op op) {
  return op == EXPR_ADD || op == EXPR_MUL || op == EXPR_AND || op == EXPR_OR || op == EXPR_XOR || op == EXPR_EQ;
}

bool goes_second(const struct value_pool *p, struct expr a, struct expr b) {
  if ((expr_op(p, a) == EXPR_CONSTANT) != (expr_op(p, b) == EXPR_CONSTANT)) return expr_op(p, a) == EXPR_CONSTANT;
  struct fingerprint x = expr_hash(p, a), y = expr_hash(p, b);
  return x.hi != y.hi ? x.hi > y.hi : x.lo > y.lo;
}

static struct expr made(struct value_pool *p, enum expr_op op, struct expr a, struct expr b) {
  unsigned width = op >= EXPR_EQ ? 1 : expr_width(p, a);
  return (struct expr){node_make(p, op, width, (uint32_t[4]){a.id, b.id})};
}

static struct expr flag(struct value_pool *p, bool b) { return expr_constant(p, 1, b); }

/* `e` = x op c */
static bool with_constant(const struct value_pool *p, struct expr e, enum expr_op op, struct expr *x, bits128 *c) {
  if (expr_op(p, e) != op || !expr_is_constant(p, operand(p, e, 1), c)) return false;
  *x = operand(p, e, 0);
  return true;
}

/* Both operands are the same. */
static struct expr of_same(struct value_pool *p, enum expr_op op, struct expr a, struct expr none) {
  unsigned w = expr_width(p, a);
  switch ((int)op) {
    case EXPR_SUB:
    case EXPR_XOR:
    case EXPR_UREM:
    case EXPR_SREM:
      return expr_constant(p, w, 0); /* 0 rem 0 is 0 too */
    case EXPR_AND:
    case EXPR_OR:
      return a;
    case EXPR_EQ:
    case EXPR_ULE:
    case EXPR_SLE:
      return flag(p, true);
    case EXPR_ULT:
    case EXPR_SLT:
      return flag(p, false);
  }
  return none;
}

static unsigned power_of_two(bits128 c) {
  unsigned n = 0;
  if (c == 0 || (c & (c - 1))) return EXPR_MAX_WIDTH;
  while (!(c >> n & 1)) n++;
  return n;
}

/* By a constant number of bits: a matter of parts. */
static struct expr shift(struct value_pool *p, enum expr_op op, struct expr a, bits128 n) {
  unsigned w = expr_width(p, a);
  if (n == 0) return a;
  if (n >= w) return op == EXPR_ASHR ? expr_sext(p, expr_extract(p, a, w - 1, 1), w) : expr_constant(p, w, 0);
  unsigned by = (unsigned)n;
  if (op == EXPR_SHL) return expr_concat(p, expr_extract(p, a, 0, w - by), expr_constant(p, by, 0));
  struct expr rest = expr_extract(p, a, by, w - by);
  return op == EXPR_ASHR ? expr_sext(p, rest, w) : expr_zext(p, rest, w);
}

/* a op c for arithmetic; `none` if there is no rule. */
static struct expr arithmetic(struct value_pool *p, enum expr_op op, struct expr a, bits128 c, struct expr none) {
  unsigned w = expr_width(p, a), log = power_of_two(c);
  struct expr x;
  bits128 d;
  switch ((int)op) {
    case EXPR_ADD:
      if (c == 0) return a;
      if (with_constant(p, a, EXPR_ADD, &x, &d)) return expr_binary(p, EXPR_ADD, x, expr_constant(p, w, c + d));
      break;
    case EXPR_SUB:
      return expr_binary(p, EXPR_ADD, a, expr_constant(p, w, -c));
    case EXPR_MUL:
      if (c == 0) return expr_constant(p, w, 0);
      if (log < w) return shift(p, EXPR_SHL, a, log);
      if (c == bits_ones(w)) return expr_neg(p, a);
      if (with_constant(p, a, EXPR_MUL, &x, &d)) return expr_binary(p, EXPR_MUL, x, expr_constant(p, w, c * d));
      break;
    case EXPR_UDIV:
      if (c == 0) return expr_constant(p, w, bits_ones(w));
      if (log < w) return shift(p, EXPR_LSHR, a, log);
      break;
    case EXPR_UREM:
      if (c == 0) return a;
      if (c == 1) return expr_constant(p, w, 0);
      if (log < w) return expr_zext(p, expr_extract(p, a, 0, log), w);
      break;
    case EXPR_SDIV:
      if (c == 1 && w > 1) return a;
      break;
    case EXPR_SREM:
      if (c == 0) return a;
      break;
  }
  return none;
}

/* a op c for AND, OR, XOR. */
static struct expr bitwise(struct value_pool *p, enum expr_op op, struct expr a, bits128 c, struct expr none) {
  unsigned w = expr_width(p, a);
  struct expr x;
  bits128 d, ones = bits_ones(w);
  if (c == 0) return op == EXPR_AND ? expr_constant(p, w, 0) : a;
  if (c == ones) return op == EXPR_AND ? a : op == EXPR_OR ? expr_constant(p, w, ones) : expr_not(p, a);
  if (with_constant(p, a, op, &x, &d)) return expr_binary(p, op, x, expr_constant(p, w, bits_apply(op, w, c, d)));
  return none;
}

/* a = c */
static struct expr equal_constant(struct value_pool *p, struct expr a, bits128 c, struct expr none) {
  unsigned w = expr_width(p, a);
  struct expr x = a;
  bits128 d;
  if (w == 1) return c ? a : expr_not(p, a);
  if (with_constant(p, a, EXPR_ADD, &x, &d)) return expr_binary(p, EXPR_EQ, x, expr_constant(p, w, c - d));
  if (with_constant(p, a, EXPR_XOR, &x, &d)) return expr_binary(p, EXPR_EQ, x, expr_constant(p, w, c ^ d));
  enum expr_op op = expr_op(p, a);
  if (op == EXPR_CONSTANT || op == EXPR_SYMBOL) return none;
  x = operand(p, a, 0);
  unsigned inner = expr_width(p, x);
  if (op == EXPR_NOT) return expr_binary(p, EXPR_EQ, x, expr_constant(p, w, ~c));
  if (op == EXPR_NEG) return expr_binary(p, EXPR_EQ, x, expr_constant(p, w, -c));
  if (op == EXPR_SUB && c == 0) return expr_binary(p, EXPR_EQ, x, operand(p, a, 1));
  if (op == EXPR_ZEXT || op == EXPR_SEXT) {
    bits128 low = bits_trim(c, inner);
    bool fits = (op == EXPR_ZEXT ? low : bits_sext(low, inner, w)) == c;
    return fits ? expr_binary(p, EXPR_EQ, x, expr_constant(p, inner, low)) : flag(p, false);
  }
  if (op != EXPR_CONCAT) return none;
  struct expr y = operand(p, a, 1);
  unsigned low = expr_width(p, y);
  struct expr upper = expr_binary(p, EXPR_EQ, x, expr_constant(p, inner, c >> low));
  return expr_binary(p, EXPR_AND, upper, expr_binary(p, EXPR_EQ, y, expr_constant(p, low, c)));
}

/* a < c, a <= c, without a sign or with one (`s`: by turning the highest bit round it is the same). */
static struct expr below_constant(struct value_pool *p, enum expr_op op, struct expr a, bits128 c, struct expr none) {
  unsigned w = expr_width(p, a);
  bool s = op == EXPR_SLT || op == EXPR_SLE, strict = op == EXPR_ULT || op == EXPR_SLT;
  bits128 turn = s ? bits_min(w) : 0, k = c ^ turn;
  if (!strict) return k == bits_ones(w) ? flag(p, true) : expr_binary(p, s ? EXPR_SLT : EXPR_ULT, a, expr_constant(p, w, c + 1));
  if (k == 0) return flag(p, false);
  if (k == 1) return expr_binary(p, EXPR_EQ, a, expr_constant(p, w, turn));
  if (k == bits_ones(w)) return expr_not(p, expr_binary(p, EXPR_EQ, a, expr_constant(p, w, c)));
  if (s && c == 0) return expr_extract(p, a, w - 1, 1);
  if (expr_op(p, a) != EXPR_ZEXT) return none;
  struct expr x = operand(p, a, 0);
  unsigned inner = expr_width(p, x);
  if (s && bits_negative(c, w)) return flag(p, false);
  return c > bits_ones(inner) ? flag(p, true) : expr_binary(p, EXPR_ULT, x, expr_constant(p, inner, c));
}

/* c < b is not (b <= c), and so on. */
static struct expr above_constant(struct value_pool *p, enum expr_op op, struct expr b, bits128 c, struct expr none) {
  unsigned w = expr_width(p, b);
  bool s = op == EXPR_SLT || op == EXPR_SLE;
  bits128 turn = s ? bits_min(w) : 0, k = c ^ turn;
  if (op == EXPR_ULE || op == EXPR_SLE)
    return k == 0 ? flag(p, true) : expr_binary(p, s ? EXPR_SLT : EXPR_ULT, expr_constant(p, w, c - 1), b);
  if (k == bits_ones(w)) return flag(p, false);
  if (k == 0 || k == bits_ones(w) - 1 || (s && c == bits_ones(w)) || expr_op(p, b) == EXPR_ZEXT) {
    return expr_not(p, expr_binary(p, s ? EXPR_SLT : EXPR_ULT, b, expr_constant(p, w, c + 1)));
  }
  return none;
}

/* Neither is a constant. */
static struct expr of_two(struct value_pool *p, enum expr_op op, struct expr a, struct expr b, struct expr none) {
  unsigned w = expr_width(p, a);
  struct expr x;
  bits128 d;
  enum expr_op of_a = expr_op(p, a);
  if (op == EXPR_ADD || op == EXPR_SUB) {
    if (with_constant(p, a, EXPR_ADD, &x, &d)) return expr_binary(p, EXPR_ADD, expr_binary(p, op, x, b), expr_constant(p, w, d));
    if (with_constant(p, b, EXPR_ADD, &x, &d))
      return expr_binary(p, EXPR_ADD, expr_binary(p, op, a, x), expr_constant(p, w, op == EXPR_ADD ? d : -d));
    if (expr_op(p, b) == EXPR_NEG) return expr_binary(p, op == EXPR_ADD ? EXPR_SUB : EXPR_ADD, a, operand(p, b, 0));
    if (op == EXPR_ADD && of_a == EXPR_NEG) return expr_binary(p, EXPR_SUB, b, operand(p, a, 0));
  }
  if (op == EXPR_AND || op == EXPR_OR || op == EXPR_XOR) {
    if (expr_equal(expr_not(p, a), b)) return expr_constant(p, w, op == EXPR_AND ? 0 : bits_ones(w));
  }
  if (op == EXPR_EQ) {
    struct expr base = a, other = b;
    bits128 e = 0;
    d = 0;
    bool sums = with_constant(p, a, EXPR_ADD, &base, &d);
    sums |= with_constant(p, b, EXPR_ADD, &other, &e);
    if (sums && expr_equal(base, other)) return flag(p, d == e);
  }
  bool compares = op >= EXPR_EQ && op <= EXPR_SLE;
  if (!compares || of_a != expr_op(p, b) || (of_a != EXPR_ZEXT && of_a != EXPR_SEXT)) return none;
  x = operand(p, a, 0);
  struct expr y = operand(p, b, 0);
  if (expr_width(p, x) != expr_width(p, y)) return none;
  /* What was widened by zeros has no sign any more; a widened sign keeps both orders. */
  if (of_a == EXPR_ZEXT && op == EXPR_SLT) op = EXPR_ULT;
  if (of_a == EXPR_ZEXT && op == EXPR_SLE) op = EXPR_ULE;
  return expr_binary(p, op, x, y);
}

static struct expr of_constant_second(struct value_pool *p, enum expr_op op, struct expr a, bits128 c, struct expr none) {
  if (op == EXPR_EQ) return equal_constant(p, a, c, none);
  if (op > EXPR_EQ) return below_constant(p, op, a, c, none);
  if (op == EXPR_SHL || op == EXPR_LSHR || op == EXPR_ASHR) return shift(p, op, a, c);
  if (op == EXPR_AND || op == EXPR_OR || op == EXPR_XOR) return bitwise(p, op, a, c, none);
  return arithmetic(p, op, a, c, none);
}

static struct expr of_constant_first(struct value_pool *p, enum expr_op op, bits128 c, struct expr b, struct expr none) {
  if (op > EXPR_EQ) return above_constant(p, op, b, c, none);
  if (op == EXPR_SUB && c == 0) return expr_neg(p, b);
  if (c == 0 && (op == EXPR_SHL || op == EXPR_LSHR || op == EXPR_ASHR)) return expr_constant(p, expr_width(p, b), 0);
  return none;
}

bool node_fold(struct value_pool *p, const struct node *n, struct expr *out) {
  bits128 x[3] = {0}, y[3] = {0};
  unsigned choice = 2, operands = node_operands((enum expr_op)n->op);
  for (unsigned i = 0; i < operands; i++) {
    struct expr a = {n->args[i]};
    if (expr_is_constant(p, a, &x[i])) {
      y[i] = x[i];
      continue;
    }
    if (choice != 2 || !is_choice(p, a, &x[i], &y[i])) return false;
    choice = i;
  }
  bits128 first = node_apply(p, n, x), second = node_apply(p, n, y);
  *out = expr_constant(p, n->width, first);
  if (choice != 2) *out = expr_ite(p, operand(p, (struct expr){n->args[choice]}, 0), *out, expr_constant(p, n->width, second));
  return true;
}

struct expr expr_binary(struct value_pool *p, enum expr_op op, struct expr a, struct expr b) {
  assert(op >= EXPR_ADD && op <= EXPR_SLE && expr_width(p, a) == expr_width(p, b));
  const struct expr none = {UINT32_MAX};
  bits128 x, y;
  if (commutes(op) && goes_second(p, a, b)) {
    struct expr swap = a;
    a = b, b = swap;
  }
  unsigned w = expr_width(p, a);
  bool first = expr_is_constant(p, a, &x), second = expr_is_constant(p, b, &y);
  struct expr simple = expr_equal(a, b) && !first ? of_same(p, op, a, none) : none;
  if (simple.id != none.id) return simple;
  const struct node n = {.op = (uint8_t)op, .width = op >= EXPR_EQ ? 1 : (uint8_t)w, .args = {a.id, b.id}};
  if (node_fold(p, &n, &simple)) return simple;
  simple = second ? of_constant_second(p, op, a, y, none) : first ? of_constant_first(p, op, x, b, none) : of_two(p, op, a, b, none);
  return simple.id != none.id ? simple : made(p, op, a, b);
}
