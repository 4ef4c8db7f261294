/* Integers of 65 to 128 bits. Those of fewer than 128 are computed in 128 and cut (OP_WTRUNC), as the machine does. */
#include "machine/symbolic/look.h"

static bool reads_wide(const struct look *l, uint32_t slot) { return reads_any(l, slot, slot + 1); }

/* clang-format off */
static const uint8_t operators[] = {
    [OP_WADD] = EXPR_ADD, [OP_WSUB] = EXPR_SUB, [OP_WMUL] = EXPR_MUL,
    [OP_WUDIV] = EXPR_UDIV, [OP_WSDIV] = EXPR_SDIV, [OP_WUREM] = EXPR_UREM, [OP_WSREM] = EXPR_SREM,
    [OP_WAND] = EXPR_AND, [OP_WOR] = EXPR_OR, [OP_WXOR] = EXPR_XOR,
    [OP_WSHL] = EXPR_SHL, [OP_WLSHR] = EXPR_LSHR, [OP_WASHR] = EXPR_ASHR,
    [OP_WEQ] = EXPR_EQ, [OP_WNE] = EXPR_EQ, [OP_WULT] = EXPR_ULT, [OP_WULE] = EXPR_ULE, [OP_WSLT] = EXPR_SLT, [OP_WSLE] = EXPR_SLE,
};
/* clang-format on */

/* Of one operand, which is symbolic. */
static void extend(const struct look *l) {
  unsigned from = l->ip->c;
  struct expr x = from > 64 ? expr_extract(pool_of(l), wide_expr(l, l->ip->b), 0, from) : low(l, slot_expr(l, l->ip->b), from);
  put_wide(l, l->ip->a, expr_sext(pool_of(l), x, 128));
}

static void compute(const struct look *l, enum expr_op op) {
  struct expr x = wide_expr(l, l->ip->b), y = wide_expr(l, l->ip->c);
  if (is_between(op, EXPR_UDIV, EXPR_SREM)) look_division(l, op, x, y);
  struct expr z = expr_binary(pool_of(l), op, x, y);
  if (op < EXPR_EQ)
    put_wide(l, l->ip->a, z);
  else
    look_compared(l, l->ip->op == OP_WNE ? expr_not(pool_of(l), z) : z);
}

bool look_wide(struct look *l) {
  const union insn *ip = l->ip;
  enum expr_op op = ip->op < sizeof operators ? (enum expr_op)operators[ip->op] : EXPR_CONSTANT;
  bool cuts = ip->op == OP_WTRUNC, extends = ip->op == OP_WSEXT;
  if (!op && !cuts && !extends) return false;
  bool symbolic = extends && ip->c <= 64 ? of_slot(l, ip->b) != 0 : reads_wide(l, ip->b) || (op && reads_wide(l, ip->c));
  if (!symbolic)
    look_each_slot(l, look_clear_writes, l);
  else if (extends)
    extend(l);
  else if (cuts)
    put_wide(l, ip->a, expr_extract(pool_of(l), wide_expr(l, ip->b), 0, ip->c));
  else
    compute(l, op);
  return true;
}
