/* Atomic updates: `atomic_fetch_add(&sum, x)` has one input for all x. What decides is a condition: whether a comparison exchanges, and,
 * where there are other threads, whether the update has changed anything (an update that has not is a read to a loop that waits). */
#include "machine/symbolic/look.h"

void symbolic_operands(struct symbolic_update *u, const struct thread *t, const struct frame *frame, const uint64_t *r,
                       const uint32_t slots[2]) {
  for (unsigned i = 0; i < 2; i++) u->of[i] = symbolic_of(t, frame->base + slots[i]), u->value[i] = r[slots[i]];
}

/* What memory had, whose value was `old`: the machine's memory has been updated, its expressions have not. */
static struct expr before(const struct machine *m, uint64_t address, unsigned size, uint64_t old) {
  struct value_pool *p = m->symbolic->pool;
  struct expr e = {0};
  for (unsigned i = size; i-- > 0;) {
    uint64_t of = symbolic_byte(m, address + i);
    struct expr byte = of ? (struct expr){(uint32_t)(of - 1)} : expr_constant(p, 8, old >> (8 * i) & 255u);
    e = i == size - 1 ? byte : expr_concat(p, e, byte);
  }
  return e;
}

static struct expr operand(const struct symbolic *s, const struct symbolic_update *u, unsigned i, unsigned width) {
  struct expr e = u->of[i] ? (struct expr){(uint32_t)(u->of[i] - 1)} : expr_constant(s->pool, 64, u->value[i]);
  return width < 64 ? expr_extract(s->pool, e, 0, width) : e;
}

/* False: it has no expression. */
static bool updated(struct value_pool *p, enum rmw_op op, struct expr x, struct expr y, struct expr *result) {
  unsigned width = expr_width(p, x);
  struct expr zero = expr_constant(p, width, 0), one = expr_constant(p, width, 1);
  switch (op) {
    case RMW_XCHG:
      *result = y;
      return true;
    case RMW_ADD:
      *result = expr_binary(p, EXPR_ADD, x, y);
      return true;
    case RMW_SUB:
      *result = expr_binary(p, EXPR_SUB, x, y);
      return true;
    case RMW_AND:
      *result = expr_binary(p, EXPR_AND, x, y);
      return true;
    case RMW_NAND:
      *result = expr_not(p, expr_binary(p, EXPR_AND, x, y));
      return true;
    case RMW_OR:
      *result = expr_binary(p, EXPR_OR, x, y);
      return true;
    case RMW_XOR:
      *result = expr_binary(p, EXPR_XOR, x, y);
      return true;
    case RMW_MAX:
    case RMW_MIN:
      *result = symbolic_extreme(p, EXPR_SLT, op == RMW_MIN, x, y);
      return true;
    case RMW_UMAX:
    case RMW_UMIN:
      *result = symbolic_extreme(p, EXPR_ULT, op == RMW_UMIN, x, y);
      return true;
    case RMW_UINC_WRAP:
      *result = expr_ite(p, expr_binary(p, EXPR_ULT, x, y), expr_binary(p, EXPR_ADD, x, one), zero);
      return true;
    case RMW_UDEC_WRAP: {
      struct expr in = expr_binary(p, EXPR_ULT, expr_binary(p, EXPR_SUB, x, one), y); /* 0 < x <= y */
      *result = expr_ite(p, in, expr_binary(p, EXPR_SUB, x, one), y);
      return true;
    }
    case RMW_FADD:
    case RMW_FSUB:
    case RMW_FMAX:
    case RMW_FMIN:
      return false;
  }
  return false;
}

/* The slot has what was there, the bytes have what there is. */
static void set(struct machine *m, struct thread *t, uint32_t slot, uint64_t address, struct expr old, struct expr new) {
  symbolic_set_value(m->symbolic, t, slot, old);
  symbolic_put_value(m->symbolic, address, expr_width(m->symbolic->pool, new) / 8, new);
}

/* Whether anything changes decides what the machine notes of it. What was there when it has not is seen by a loop that waits. */
static void changed(struct machine *m, struct thread *t, uint64_t address, struct expr old, struct expr *new) {
  struct symbolic *s = m->symbolic;
  unsigned width = expr_width(s->pool, old);
  if (m->single || s->apart) return; /* apart, no loop waits */
  if (m->nspinning) {                /* somebody waits for a change: is it one? */
    symbolic_fix_value(s, *new);
    *new = expr_constant(s->pool, width, symbolic_value(s, *new));
  }
  if (!symbolic_decided(s, expr_binary(s->pool, EXPR_EQ, old, *new), DECIDED_CASE)) return;
  uint64_t *seen = symbolic_seen(m, t, address, width / 8);
  if (seen) *seen = expr_zext(s->pool, *new, 64).id + 1u;
}

void symbolic_updated(struct machine *m, struct thread *t, uint32_t slot, const union insn *ip, uint64_t address) {
  struct symbolic *s = m->symbolic;
  unsigned size = ip[1].hi & 255u;
  uint64_t value = t->slots.data[slot];
  symbolic_set(t, slot, 0);
  if (!s->update.of[0] && !symbolic_touches(s, address, size)) return;
  struct expr old = before(m, address, size, value), y = operand(s, &s->update, 0, 8 * size), new;
  if (!updated(s->pool, (enum rmw_op)ip[1].lo, old, y, &new)) {
    symbolic_fix_value(s, old), symbolic_fix_value(s, y);
    symbolic_forget(m, address, size);
    return;
  }
  changed(m, t, address, old, &new);
  set(m, t, slot, address, old, new);
}

void symbolic_exchanged(struct machine *m, struct thread *t, uint32_t slot, const union insn *ip, uint64_t address) {
  struct symbolic *s = m->symbolic;
  unsigned size = ip[1].hi & 255u;
  uint64_t value = t->slots.data[slot];
  bool exchanged = t->slots.data[slot + 1] != 0;
  symbolic_set(t, slot, 0), symbolic_set(t, slot + 1, 0);
  if (!s->update.of[0] && !(exchanged && s->update.of[1]) && !symbolic_touches(s, address, size)) return;
  struct expr old = before(m, address, size, value), expected = operand(s, &s->update, 0, 8 * size);
  struct expr same = expr_binary(s->pool, EXPR_EQ, old, expected), new = operand(s, &s->update, 1, 8 * size);
  if (s->apart) { /* whether it exchanges is another value, which no branch may have told */
    symbolic_set_value(s, t, slot + 1, same);
    set(m, t, slot, address, old, expr_ite(s->pool, same, new, old));
    return;
  }
  symbolic_decided(s, same, DECIDED);
  if (!exchanged) {
    symbolic_loaded(m, t, slot, address, size);
    return;
  }
  changed(m, t, address, old, &new);
  set(m, t, slot, address, old, new);
}
