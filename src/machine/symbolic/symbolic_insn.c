/* What instructions do with expressions: symbolic_insn(). */
#include "machine/symbolic/look.h"

/* --- what has no expression --- */

void look_fix_reads(void *context, unsigned word, unsigned field, uint32_t n, bool write) {
  const struct look *l = context;
  for (uint32_t i = 0; !write && i < n; i++) fix_slot(l, l->ip[word].slots[field] + i);
}

void look_clear_writes(void *context, unsigned word, unsigned field, uint32_t n, bool write) {
  const struct look *l = context;
  for (uint32_t i = 0; write && i < n; i++) set_slot(l, l->ip[word].slots[field] + i, 0);
}

void look_fix_all(struct look *l) {
  look_each_slot(l, look_fix_reads, l);
  look_each_slot(l, look_clear_writes, l);
}

/* --- two operands, the second of which may be an immediate --- */

struct pair {
  struct expr x, y;
  bool symbolic;
};

/* Expressions are made only if one of them depends on symbolic data: most do not, and a program's numbers fill a pool. */
static struct pair operands(const struct look *l, uint32_t first, uint32_t second, char kind) {
  struct pair p = {.symbolic = of_slot(l, first) || (kind == 's' && of_slot(l, second))};
  if (!p.symbolic) return p;
  p.x = slot_expr(l, first);
  if (kind == 's')
    p.y = slot_expr(l, second);
  else
    p.y = constant(l, kind == 'i' ? (uint64_t)(int64_t)(int16_t)second : second);
  return p;
}

/* How an instruction computes: the operator, over so many bits; 0: not so. */
struct operation {
  uint8_t op, width;
};

/* clang-format off */
static const struct operation operations[] = {
    [OP_ADD32] = {EXPR_ADD, 32}, [OP_SUB32] = {EXPR_SUB, 32}, [OP_MUL32] = {EXPR_MUL, 32},
    [OP_ADD64] = {EXPR_ADD, 64}, [OP_SUB64] = {EXPR_SUB, 64}, [OP_MUL64] = {EXPR_MUL, 64},
    [OP_AND] = {EXPR_AND, 64}, [OP_OR] = {EXPR_OR, 64}, [OP_XOR] = {EXPR_XOR, 64},
    [OP_SHL32] = {EXPR_SHL, 32}, [OP_LSHR32] = {EXPR_LSHR, 32}, [OP_ASHR32] = {EXPR_ASHR, 32},
    [OP_SHL64] = {EXPR_SHL, 64}, [OP_LSHR64] = {EXPR_LSHR, 64}, [OP_ASHR64] = {EXPR_ASHR, 64},
    [OP_ADDI32] = {EXPR_ADD, 32}, [OP_MULI32] = {EXPR_MUL, 32}, [OP_ADDI64] = {EXPR_ADD, 64}, [OP_MULI64] = {EXPR_MUL, 64},
    [OP_ANDI] = {EXPR_AND, 64}, [OP_ORI] = {EXPR_OR, 64}, [OP_XORI] = {EXPR_XOR, 64},
    [OP_SHLI32] = {EXPR_SHL, 32}, [OP_LSHRI32] = {EXPR_LSHR, 32}, [OP_ASHRI32] = {EXPR_ASHR, 32},
    [OP_SHLI64] = {EXPR_SHL, 64}, [OP_LSHRI64] = {EXPR_LSHR, 64}, [OP_ASHRI64] = {EXPR_ASHR, 64},
    [OP_UDIV32] = {EXPR_UDIV, 32}, [OP_SDIV32] = {EXPR_SDIV, 32}, [OP_UREM32] = {EXPR_UREM, 32}, [OP_SREM32] = {EXPR_SREM, 32},
    [OP_UDIV64] = {EXPR_UDIV, 64}, [OP_SDIV64] = {EXPR_SDIV, 64}, [OP_UREM64] = {EXPR_UREM, 64}, [OP_SREM64] = {EXPR_SREM, 64},
};
/* clang-format on */

void look_division(const struct look *l, unsigned op, struct expr x, struct expr y) {
  struct value_pool *p = pool_of(l);
  unsigned width = expr_width(p, x);
  if (symbolic_decided(l->m->symbolic, expr_binary(p, EXPR_EQ, y, expr_constant(p, width, 0)), DECIDED)) return;
  if (op != EXPR_SDIV && op != EXPR_SREM) return;
  struct expr least = expr_constant(p, width, (bits128)1 << (width - 1)), minus_one = expr_not(p, expr_constant(p, width, 0));
  struct expr overflows = expr_binary(p, EXPR_AND, expr_binary(p, EXPR_EQ, y, minus_one), expr_binary(p, EXPR_EQ, x, least));
  symbolic_decided(l->m->symbolic, overflows, DECIDED_OVERFLOW);
}

static void compute(const struct look *l, struct operation o) {
  const union insn *ip = l->ip;
  struct pair p = operands(l, ip->b, ip->c, opcode_table[ip->op].operands[2]);
  if (!p.symbolic) {
    set_slot(l, ip->a, 0);
    return;
  }
  struct expr x = low(l, p.x, o.width), y = low(l, p.y, o.width);
  if (is_between(o.op, EXPR_UDIV, EXPR_SREM)) look_division(l, o.op, x, y);
  put(l, ip->a, expr_binary(pool_of(l), (enum expr_op)o.op, x, y));
}

/* An address that is computed: b + c * scale. */
static void compute_address(const struct look *l, uint64_t scale) {
  const union insn *ip = l->ip;
  if (!reads_any(l, ip->b, ip->c)) {
    set_slot(l, ip->a, 0);
    return;
  }
  struct expr offset = expr_binary(pool_of(l), EXPR_MUL, slot_expr(l, ip->c), constant(l, scale));
  put(l, ip->a, expr_binary(pool_of(l), EXPR_ADD, slot_expr(l, ip->b), offset));
}

static void extend(const struct look *l, unsigned from, unsigned to) {
  const union insn *ip = l->ip;
  if (!of_slot(l, ip->b)) {
    set_slot(l, ip->a, 0);
    return;
  }
  struct expr e = low(l, slot_expr(l, ip->b), from);
  put(l, ip->a, to >= from ? expr_sext(pool_of(l), e, to) : low(l, e, to));
}

/* --- comparisons --- */

/* What OP_EQ and those behind it compare. */
static struct expr comparison(const struct look *l, unsigned op, struct pair p) {
  unsigned width = op == OP_SLT32 || op == OP_SLE32 || op == OP_SLTI32 || op == OP_SGTI32 ? 32 : 64;
  struct expr x = low(l, p.x, width), y = low(l, p.y, width);
  switch (op) {
    case OP_NE:
    case OP_NEI:
      return expr_not(pool_of(l), expr_binary(pool_of(l), EXPR_EQ, x, y));
    case OP_ULT:
    case OP_ULTI:
      return expr_binary(pool_of(l), EXPR_ULT, x, y);
    case OP_UGTI:
      return expr_binary(pool_of(l), EXPR_ULT, y, x);
    case OP_ULE:
      return expr_binary(pool_of(l), EXPR_ULE, x, y);
    case OP_SLT32:
    case OP_SLT64:
    case OP_SLTI32:
    case OP_SLTI64:
      return expr_binary(pool_of(l), EXPR_SLT, x, y);
    case OP_SGTI32:
    case OP_SGTI64:
      return expr_binary(pool_of(l), EXPR_SLT, y, x);
    case OP_SLE32:
    case OP_SLE64:
      return expr_binary(pool_of(l), EXPR_SLE, x, y);
    default:
      return expr_binary(pool_of(l), EXPR_EQ, x, y);
  }
}

_Static_assert(OP_JSGTI64 - OP_JEQ == OP_SGTI64 - OP_EQ, "a comparison and its jump stand at the same place of their lists");

/* Where executions have no end (symbolic->paths), `n += x == 5` and `n = x == 5 ? 3 : n` would be expressions that have all turns' inputs,
 * and grow. Decided, they are one of two. */
void look_compared(const struct look *l, struct expr is) {
  set_slot(l, l->ip->a, 0);
  if (l->m->symbolic->paths)
    symbolic_decided(l->m->symbolic, is, DECIDED);
  else
    put(l, l->ip->a, is);
}

static void compare(const struct look *l) {
  const union insn *ip = l->ip;
  struct pair p = operands(l, ip->b, ip->c, opcode_table[ip->op].operands[2]);
  if (p.symbolic)
    look_compared(l, comparison(l, ip->op, p));
  else
    set_slot(l, ip->a, 0);
}

static struct expr is_zero(const struct look *l, uint32_t slot) {
  return expr_binary(pool_of(l), EXPR_EQ, slot_expr(l, slot), constant(l, 0));
}

static void is_value(const struct look *l, uint64_t value) {
  symbolic_decided(l->m->symbolic, expr_binary(pool_of(l), EXPR_EQ, slot_expr(l, l->ip->a), constant(l, value)), DECIDED_CASE + value);
}

/* The case that is taken; or that none is. */
static void branch_cases(const struct look *l) {
  const union insn *ip = l->ip;
  const struct image_case *cases = l->m->image->cases + ip[1].lo;
  for (uint32_t i = 0; i < ip[1].hi; i++) {
    if (cases[i].value != l->r[ip->a]) continue;
    is_value(l, cases[i].value);
    return;
  }
  for (uint32_t i = 0; i < ip[1].hi; i++) is_value(l, cases[i].value);
}

static void branch_table(const struct look *l) {
  const union insn *ip = l->ip;
  struct expr i = expr_binary(pool_of(l), EXPR_SUB, slot_expr(l, ip->a), constant(l, ip[3].word));
  if (symbolic_decided(l->m->symbolic, expr_binary(pool_of(l), EXPR_ULT, i, constant(l, ip[1].hi)), DECIDED)) is_value(l, l->r[ip->a]);
}

static void branch(struct look *l) {
  const union insn *ip = l->ip;
  if (is_between(ip->op, OP_JEQ, OP_JSGTI64)) {
    struct pair p = operands(l, ip->a, ip->b, opcode_table[ip->op].operands[1]);
    if (p.symbolic) symbolic_decided(l->m->symbolic, comparison(l, ip->op - OP_JEQ + OP_EQ, p), DECIDED);
  } else if (ip->op == OP_JMP || !of_slot(l, ip->a)) {
    return;
  } else if (ip->op == OP_JNZ || ip->op == OP_JZ) {
    symbolic_decided(l->m->symbolic, is_zero(l, ip->a), DECIDED);
  } else if (ip->op == OP_SWITCH) {
    branch_cases(l);
  } else if (ip->op == OP_SWITCHD) {
    branch_table(l);
  } else {
    look_fix_all(l);
  }
}

/* --- moving --- */

static void copy_slots(const struct look *l, uint32_t to, uint32_t from, uint32_t n) {
  bool up = to > from; /* they may overlap */
  for (uint32_t k = 0; k < n; k++) {
    uint32_t i = up ? n - 1 - k : k;
    set_slot(l, to + i, of_slot(l, from + i));
  }
}

#define SELECTED_MOST 2u /* slots: a wide integer's */

static void select_slots(const struct look *l) {
  const union insn *ip = l->ip;
  uint32_t n = ip->op == OP_SELECT ? 1 : ip[1].hi, yes = ip->c, no = ip[1].lo;
  if (of_slot(l, ip->b) && n <= SELECTED_MOST && !l->m->symbolic->paths) {
    struct expr zero = is_zero(l, ip->b), chosen[SELECTED_MOST];
    for (uint32_t i = 0; i < n; i++) chosen[i] = expr_ite(pool_of(l), zero, slot_expr(l, no + i), slot_expr(l, yes + i));
    for (uint32_t i = 0; i < n; i++) put(l, ip->a + i, chosen[i]); /* which may be slots that it reads */
    return;
  }
  if (of_slot(l, ip->b)) symbolic_decided(l->m->symbolic, is_zero(l, ip->b), DECIDED);
  copy_slots(l, ip->a, l->r[ip->b] ? yes : no, n);
}

/* --- memory --- */

static void fix_two(const struct look *l, uint32_t x, uint32_t y) { fix_slot(l, x), fix_slot(l, y); }

/* Can what is accessed depend on the address? Where it is stored, an undefined value makes memory undefined. */
static bool goes_anywhere(const struct look *l, struct expr address, uint64_t at, uint64_t size, bool load) {
  return !l->m->symbolic->apart && (load || l->t->undefined.count == 0) && symbolic_address(l->m, address, at, size, load);
}

static uint64_t offset_of(const union insn *ip) { return (uint64_t)(int64_t)(int16_t)ip->c; }

/* Of [b + offset]. */
static void access(const struct look *l, uint64_t size, bool load) {
  uint64_t offset = offset_of(l->ip);
  if (!of_slot(l, l->ip->b)) return;
  struct expr address = expr_binary(pool_of(l), EXPR_ADD, slot_expr(l, l->ip->b), constant(l, offset));
  uint64_t at = l->r[l->ip->b] + offset;
  if (!apart_reaches(l->m, l->t, address, at, size) && !goes_anywhere(l, address, at, size, load)) fix_slot(l, l->ip->b);
}

/* Of [b]. */
static void access_atomic(const struct look *l, uint64_t size) {
  uint32_t b = l->ip->b;
  if (of_slot(l, b) && !apart_reaches(l->m, l->t, slot_expr(l, b), l->r[b], size)) fix_slot(l, b);
}

/* Of [b + c * size]. */
static void access_indexed(const struct look *l, uint64_t size, bool load) {
  uint32_t x = l->ip->b, y = l->ip->c;
  if (!reads_any(l, x, y)) return;
  struct expr index = expr_binary(pool_of(l), EXPR_MUL, slot_expr(l, y), constant(l, size));
  struct expr address = expr_binary(pool_of(l), EXPR_ADD, slot_expr(l, x), index);
  uint64_t at = l->r[x] + l->r[y] * size;
  if (!apart_reaches(l->m, l->t, address, at, size) && !goes_anywhere(l, address, at, size, load)) fix_two(l, x, y);
}

/* A vector of single bits, which share bytes? */
static bool has_bits(const struct image *image, uint32_t layout) {
  const struct image_layout *x = &image->layouts[layout];
  for (uint32_t i = 0; i < x->count; i++)
    if (image->leaves[x->first + i].kind == LEAF_BIT) return true;
  return false;
}

/* New locals: what was there before is gone. */
static void make_room(const struct look *l, uint64_t size) {
  uint64_t sp = l->m->memory.regions[l->t->tid].sp;
  symbolic_forget(l->m, sp, stack_place(sp, l->ip[1].hi) + size - sp);
}

/* Vectors of bits and blocks that others may see are fixed; new locals have nothing that was there before. */
static void touch_memory(struct look *l) {
  const union insn *ip = l->ip;
  switch (ip->op) {
    case OP_LDN:
    case OP_STN:
      fix_slot(l, ip->b);
      if (!has_bits(l->m->image, ip[1].lo)) break;
      symbolic_fix_memory(l->m, l->r[ip->b] + offset_of(ip), l->m->image->layouts[ip[1].lo].size);
      look_fix_all(l);
      break;
    case OP_MEMCPY:
    case OP_MEMMOVE:
      look_fix_all(l);
      if (!l->m->single) symbolic_fix_memory(l->m, l->r[ip->b], l->r[ip->c]);
      break;
    case OP_VACOPY:
      look_fix_all(l);
      symbolic_fix_memory(l->m, l->r[ip->b], 24);
      break;
    case OP_ALLOCA:
      set_slot(l, ip->a, 0);
      make_room(l, ip[1].lo);
      break;
    case OP_ALLOCAX:
      look_fix_all(l);
      make_room(l, l->r[ip->b]);
      break;
    default:
      break;
  }
}

/* long: one short case for each family of instructions */
void symbolic_insn(struct machine *m, struct thread *t, struct frame *frame, const union insn *ip, const uint64_t *r) {
  struct look l = {.m = m, .t = t, .frame = frame, .ip = ip, .r = r};
  unsigned op = ip->op;
  t->reaches = 0;
  m->symbolic->builtin = false;
  m->symbolic->place = ip;
  m->symbolic->looked = 0;
  m->symbolic->aimed.set = false;
  if (op < sizeof operations / sizeof *operations && operations[op].width) {
    compute(&l, operations[op]);
    return;
  }
  if (is_between(op, OP_EQ, OP_SGTI64)) {
    compare(&l);
    return;
  }
  if (is_between(op, OP_JMP, OP_IBR)) {
    branch(&l);
    return;
  }
  if (insn_is_call(op)) {
    look_call(&l);
    return;
  }
  switch (op) {
    case OP_MOV:
    case OP_DEFINE:
      copy_slots(&l, ip->a, ip->b, 1);
      break;
    case OP_MOV2:
      copy_slots(&l, ip->a, ip->b, 2);
      break;
    case OP_MOVN:
      copy_slots(&l, ip->a, ip->b, ip->c);
      break;
    case OP_TRUNC:
      if (of_slot(&l, ip->b))
        put(&l, ip->a, low(&l, slot_expr(&l, ip->b), ip->c));
      else
        set_slot(&l, ip->a, 0);
      break;
    case OP_SEXT:
      extend(&l, ip->c & 255u, ip->c >> 8);
      break;
    case OP_SEXT8_32:
      extend(&l, 8, 32);
      break;
    case OP_SEXT16_32:
      extend(&l, 16, 32);
      break;
    case OP_SEXT8_64:
      extend(&l, 8, 64);
      break;
    case OP_SEXT16_64:
      extend(&l, 16, 64);
      break;
    case OP_SEXT32_64:
      extend(&l, 32, 64);
      break;
    case OP_SELECT:
    case OP_SELECTN:
      select_slots(&l);
      break;
    case OP_LEA1:
      compute_address(&l, 1);
      break;
    case OP_LEA2:
      compute_address(&l, 2);
      break;
    case OP_LEA4:
      compute_address(&l, 4);
      break;
    case OP_LEA8:
      compute_address(&l, 8);
      break;
    case OP_LEAS:
      compute_address(&l, ip[1].word);
      break;
    case OP_LD8:
    case OP_LD16:
    case OP_LD32:
    case OP_LD64:
      access(&l, 1u << (op - OP_LD8), true);
      break;
    case OP_ST8:
    case OP_ST16:
    case OP_ST32:
    case OP_ST64:
      access(&l, 1u << (op - OP_ST8), false);
      break;
    case OP_ATOMIC_RMW:
    case OP_ATOMIC_CAS:
      access_atomic(&l, ip[1].hi & 255u);
      if (symbolic_fixes_updates(m)) look_fix_all(&l), symbolic_fix_memory(m, r[ip->b], ip[1].hi & 255u);
      break;
    case OP_ATOMIC_LD:
    case OP_ATOMIC_ST:
      access_atomic(&l, ip->c & 255u);
      break;
    case OP_LDX8:
    case OP_LDX16:
    case OP_LDX32:
    case OP_LDX64:
      access_indexed(&l, 1u << (op - OP_LDX8), true);
      break;
    case OP_STX8:
    case OP_STX16:
    case OP_STX32:
    case OP_STX64:
      access_indexed(&l, 1u << (op - OP_STX8), false);
      break;
    case OP_LDN:
    case OP_STN:
    case OP_ALLOCA:
    case OP_ALLOCAX:
    case OP_MEMCPY:
    case OP_MEMMOVE:
    case OP_VACOPY:
      touch_memory(&l);
      break;
    case OP_INTR:
      look_intrinsic(&l);
      break;
    case OP_RET:
      look_return(&l);
      break;
    default:
      if (!look_wide(&l) && !look_real(&l)) look_fix_all(&l);
  }
}
