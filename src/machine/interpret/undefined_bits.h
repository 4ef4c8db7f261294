/* Which bits of a result are undefined, as the operands' values and undefined bits tell. */
#pragma once
#include <stdint.h>

/* Two operands: values, and masks of their undefined bits. */
struct undefined_pair {
  uint64_t x, y, mx, my;
};

/* Sums and products, of operands that together have these undefined bits: a bit depends on those below it. */
uint64_t undefined_sum(uint64_t mask);
/* `op`: a shift of 32 or 64 bits. */
uint64_t undefined_shift(unsigned op, struct undefined_pair p);
/* `op`: from EQ to SGTI64. 1: the outcome depends on undefined bits. */
uint64_t undefined_comparison(unsigned op, struct undefined_pair p);
/* `op`: AND, OR, XOR, of slots, with immediates, or of the halves of wide values. */
uint64_t undefined_bitwise(unsigned op, struct undefined_pair p);
