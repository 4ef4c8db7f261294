#include "machine/interpret/undefined_bits.h"

#include <stdbool.h>

#include "machine/interpret/slots.h"
#include "program/opcode.h"

uint64_t undefined_sum(uint64_t mask) { return mask | (0 - mask); }

uint64_t undefined_shift(unsigned op, struct undefined_pair p) {
  bool narrow = op == OP_SHL32 || op == OP_LSHR32 || op == OP_ASHR32 || (op >= OP_SHLI32 && op <= OP_ASHRI32);
  unsigned width = narrow ? 32 : 64;
  uint64_t every = low_bits(UINT64_MAX, width), y = p.y < width ? p.y : width - 1;
  if (p.my) return every;
  switch (op) {
    case OP_SHL32:
    case OP_SHLI32:
    case OP_SHL64:
    case OP_SHLI64:
      return p.y < width ? p.mx << y & every : 0;
    case OP_LSHR32:
    case OP_LSHRI32:
    case OP_LSHR64:
    case OP_LSHRI64:
      return p.y < width ? p.mx >> y : 0;
    default:
      return (uint64_t)(sign_bits(p.mx, width) >> y) & every;
  }
}

/* Comparisons are told from how small and how large the operands may be. */
struct range {
  uint64_t low, high;
};

static struct range range_of(uint64_t x, uint64_t mask, unsigned sign) {
  if (sign) x = low_bits(x ^ 1ull << (sign - 1), sign); /* the order of signed numbers as that of unsigned ones */
  return (struct range){x & ~mask, x | mask};
}

static uint64_t ordered(struct undefined_pair p, unsigned sign, bool equal) {
  if (sign == 32) p.x = (uint32_t)p.x, p.y = (uint32_t)p.y;
  struct range a = range_of(p.x, p.mx, sign), b = range_of(p.y, p.my, sign);
  bool always = equal ? a.high <= b.low : a.high < b.low, never = equal ? a.low > b.high : a.low >= b.high;
  return !always && !never;
}

static uint64_t greater(struct undefined_pair p, unsigned sign) {
  return ordered((struct undefined_pair){.x = p.y, .y = p.x, .mx = p.my, .my = p.mx}, sign, false);
}

static uint64_t equal(struct undefined_pair p) { return ((p.x ^ p.y) & ~(p.mx | p.my)) == 0; }

uint64_t undefined_comparison(unsigned op, struct undefined_pair p) {
  if ((p.mx | p.my) == 0) return 0;
  switch (op) {
    case OP_EQ:
    case OP_NE:
    case OP_EQI:
    case OP_NEI:
      return equal(p);
    case OP_ULT:
    case OP_ULTI:
      return ordered(p, 0, false);
    case OP_ULE:
      return ordered(p, 0, true);
    case OP_SLT32:
    case OP_SLTI32:
      return ordered(p, 32, false);
    case OP_SLE32:
      return ordered(p, 32, true);
    case OP_SLT64:
    case OP_SLTI64:
      return ordered(p, 64, false);
    case OP_SLE64:
      return ordered(p, 64, true);
    case OP_UGTI:
      return greater(p, 0);
    case OP_SGTI32:
      return greater(p, 32);
    default:
      return greater(p, 64);
  }
}

uint64_t undefined_bitwise(unsigned op, struct undefined_pair p) {
  uint64_t either = p.mx | p.my;
  if (op == OP_AND || op == OP_ANDI || op == OP_WAND) return either & (p.mx | p.x) & (p.my | p.y); /* a 0 decides */
  if (op == OP_OR || op == OP_ORI || op == OP_WOR) return either & (p.mx | ~p.x) & (p.my | ~p.y);  /* a 1 decides */
  return either;
}
