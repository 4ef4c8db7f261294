/* The INTR instruction and the conversions that are not worth an opcode of their own. */
#pragma once
#include "machine/internal.h"

enum run intrinsic_run(struct machine *m, struct thread *t, const union insn *ip, uint64_t *r);
/* Floating point to 64-bit integers as x86-64 code does it: out of range gives the indefinite value. */
uint64_t to_signed(long double x);
uint64_t to_unsigned(long double x);
/* LLVMRealPredicate on long double. */
bool real_compare(long double x, long double y, unsigned predicate);
void wide_convert(enum wide_conversion kind, uint64_t *to, const uint64_t *from);
