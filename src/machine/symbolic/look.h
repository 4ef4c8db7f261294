/* What is done with the slots of an instruction that is about to be executed: for symbolic_insn.c and the files that it calls.
 *
 * Slots have canonical values (opcode.h): an expression of 64 bits is made of the low bits that an operation has, and extended by zeros. */
#pragma once
#include "machine/interpret/look.h"
#include "machine/symbolic/symbolic.h"

/* Which of its conditions an instruction decides by (symbolic_decided()). */
enum { DECIDED, DECIDED_OVERFLOW, DECIDED_CASE };

static inline bool is_between(unsigned op, unsigned first, unsigned last) { return op >= first && op <= last; }
static inline struct value_pool *pool_of(const struct look *l) { return l->m->symbolic->pool; }
static inline uint64_t of_slot(const struct look *l, uint32_t slot) { return symbolic_of(l->t, l->frame->base + slot); }
static inline void set_slot(const struct look *l, uint32_t slot, uint64_t of) { symbolic_set(l->t, l->frame->base + slot, of); }
static inline void fix_slot(const struct look *l, uint32_t slot) { symbolic_fix(l->m, l->t, l->frame->base + slot); }

static inline struct expr constant(const struct look *l, uint64_t value) { return expr_constant(pool_of(l), 64, value); }

static inline struct expr slot_expr(const struct look *l, uint32_t slot) {
  uint64_t of = of_slot(l, slot);
  return of ? (struct expr){(uint32_t)(of - 1)} : constant(l, l->r[slot]);
}

/* The slot gets the expression's value: of up to 64 bits, extended by zeros. */
static inline void put(const struct look *l, uint32_t slot, struct expr e) {
  symbolic_set_value(l->m->symbolic, l->t, l->frame->base + slot, e);
}

static inline struct expr low(const struct look *l, struct expr e, unsigned width) {
  return width < 64 ? expr_extract(pool_of(l), e, 0, width) : e;
}

/* A wide value: of 65 to 128 bits, extended by zeros, whose two slots have the low half first. Each slot has an expression of its own, so
 * what moves, loads and stores slots need not know. */
static inline struct expr wide_expr(const struct look *l, uint32_t slot) {
  return expr_concat(pool_of(l), slot_expr(l, slot + 1), slot_expr(l, slot));
}
static inline void put_wide(const struct look *l, uint32_t slot, struct expr e) {
  e = expr_zext(pool_of(l), e, 128);
  put(l, slot, expr_extract(pool_of(l), e, 0, 64));
  put(l, slot + 1, expr_extract(pool_of(l), e, 64, 64));
}

static inline bool reads_any(const struct look *l, uint32_t x, uint32_t y) { return of_slot(l, x) | of_slot(l, y); }

/* What was compared is in the slot, or has decided. */
void look_compared(const struct look *l, struct expr is);
/* For look_each_slot(), whose context is the struct look: what it reads is fixed, what it writes has no expression. */
void look_fix_reads(void *look, unsigned word, unsigned field, uint32_t n, bool write);
void look_clear_writes(void *look, unsigned word, unsigned field, uint32_t n, bool write);
/* Both: the instruction computes what has no expression. */
void look_fix_all(struct look *l);

/* look_call.c */
void look_call(struct look *l);
void look_return(struct look *l);
/* look_intrinsic.c */
void look_intrinsic(struct look *l);
/* look_overflow.c: `op` (EXPR_ADD, EXPR_SUB, EXPR_MUL) of two numbers of `width` bits, and whether the exact result does not fit in these.
 */
struct overflowing {
  struct expr result, overflows;
};
struct overflowing look_overflowing(struct value_pool *p, enum expr_op op, bool is_signed, struct expr x, struct expr y);
/* Whether the divisor is 0, and whether the quotient does not fit, decide. */
void look_division(const struct look *l, unsigned op, struct expr x, struct expr y);
/* look_wide.c: instructions of wide integers. False: it is none, or has no expression. */
bool look_wide(struct look *l);
/* look_real.c: instructions, and intrinsics, of floats and doubles. False: it is none. */
bool look_real(struct look *l);
bool look_real_intrinsic(struct look *l);
/* A function of the C library, whose one argument is symbolic. */
bool look_real_call(struct look *l, const char *name);
