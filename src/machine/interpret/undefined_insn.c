/* What instructions do with undefined values: undefined_insn(). */
#include <string.h>

#include "machine/interpret/look.h"
#include "machine/interpret/slots.h"
#include "machine/interpret/undefined.h"
#include "machine/interpret/undefined_bits.h"
#include "machine/memory/access.h"
#include "machine/sync/table.h"

static uint64_t mask_of(const struct look *l, uint32_t slot) { return undefined_mask(l->t, l->frame->base + slot); }
static void set_mask(const struct look *l, uint32_t slot, uint64_t mask) { undefined_set(l->t, l->frame->base + slot, mask); }

static enum run fail(const struct look *l, const char *role, const char *what) {
  struct machine *m = l->m;
  l->frame->pc = (uint32_t)(l->ip - m->image->code);
  m->site = m->image->code_sites[l->frame->pc], m->insn_from = m->trace.count;
  if (l->frame->tag & FRAME_MODEL) machine_blame_program(m, l->t);
  return machine_fail(m, l->t, FINDING_UNINITIALISED, role, "%s depends on an uninitialised value", what);
}

static enum run used(const struct look *l, uint64_t mask, const char *role, const char *what) {
  return mask ? fail(l, role, what) : RUN_GO;
}

static enum run used_as_address(const struct look *l, uint64_t mask) { return used(l, mask, "access", "an address"); }

/* For all slots of an instruction: the union of what it reads; and what each that it writes gets. */
struct spread {
  const struct look *l;
  uint64_t any;
};

static void read_slots(void *context, unsigned word, unsigned field, uint32_t n, bool write) {
  struct spread *s = context;
  for (uint32_t i = 0; !write && i < n; i++) s->any |= mask_of(s->l, s->l->ip[word].slots[field] + i);
}

static void write_slots(void *context, unsigned word, unsigned field, uint32_t n, bool write) {
  const struct spread *s = context;
  for (uint32_t i = 0; write && i < n; i++) set_mask(s->l, s->l->ip[word].slots[field] + i, s->any);
}

static uint64_t all_reads(const struct look *l) {
  struct spread s = {.l = l};
  look_each_slot(l, read_slots, &s);
  return s.any;
}

/* One undefined bit makes all of the result undefined, as far as it has bits. */
static void spread(const struct look *l, uint64_t bits) {
  struct spread s = {.l = l, .any = all_reads(l) ? bits : 0};
  look_each_slot(l, write_slots, &s);
}

/* Two operands, the second of which may be an immediate. */
static struct undefined_pair operands(const struct look *l, uint32_t first, uint32_t second, char kind) {
  struct undefined_pair p = {.x = l->r[first], .mx = mask_of(l, first)};
  if (kind == 's')
    p.y = l->r[second], p.my = mask_of(l, second);
  else
    p.y = kind == 'i' ? (uint64_t)(int64_t)(int16_t)second : second;
  return p;
}

/* The same for both slots of a wide value. */
static void wide_bitwise(const struct look *l) {
  const union insn *ip = l->ip;
  uint64_t masks[2];
  for (uint32_t i = 0; i < 2; i++) masks[i] = undefined_bitwise(ip->op, operands(l, ip->b + i, ip->c + i, 's'));
  for (uint32_t i = 0; i < 2; i++) set_mask(l, ip->a + i, masks[i]);
}

static void wide_shift(struct look *l) {
  const union insn *ip = l->ip;
  u128 mask = (u128)mask_of(l, ip->b + 1) << 64 | mask_of(l, ip->b), y = slots_wide(&l->r[ip->c]);
  unsigned by = y < 128 ? (unsigned)y : 127;
  if (mask_of(l, ip->c) | mask_of(l, ip->c + 1)) {
    spread(l, UINT64_MAX);
    return;
  }
  if (ip->op == OP_WASHR)
    mask = (u128)((i128)mask >> by);
  else
    mask = y >= 128 ? 0 : ip->op == OP_WSHL ? mask << by : mask >> by;
  set_mask(l, ip->a, (uint64_t)mask), set_mask(l, ip->a + 1, (uint64_t)(mask >> 64));
}

static void copy_slots(const struct look *l, uint32_t to, uint32_t from, uint32_t n) {
  bool up = to > from; /* they may overlap */
  for (uint32_t k = 0; k < n; k++) {
    uint32_t i = up ? n - 1 - k : k;
    set_mask(l, to + i, mask_of(l, from + i));
  }
}

static void clear_slots(const struct look *l, uint32_t slot, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) set_mask(l, slot + i, 0);
}

static void select_slots(const struct look *l) {
  const union insn *ip = l->ip;
  uint32_t n = ip->op == OP_SELECT ? 1 : ip[1].hi, yes = ip->c, no = ip[1].lo;
  if (mask_of(l, ip->b) == 0) {
    copy_slots(l, ip->a, l->r[ip->b] ? yes : no, n);
    return;
  }
  for (uint32_t i = 0; i < n; i++) { /* where both are the same it does not matter */
    struct undefined_pair p = operands(l, yes + i, no + i, 's');
    set_mask(l, ip->a + i, (p.x ^ p.y) | p.mx | p.my);
  }
}

/* Bit patterns and masks of their bits go the same way through memory. */
static void convert_layout(const struct look *l) {
  const struct image *image = l->m->image;
  const union insn *ip = l->ip;
  uint32_t in = layout_slots(&image->layouts[ip[1].lo], image->leaves), out = layout_slots(&image->layouts[ip[1].hi], image->leaves);
  VEC(uint64_t) masks = {0};
  uint64_t *from = memset(vec_push_n(&masks, in + out), 0, (in + out) * sizeof *from), *to = from + in;
  for (uint32_t i = 0; i < in; i++) from[i] = mask_of(l, ip->b + i);
  layout_convert(image, ip[1].lo, ip[1].hi, to, from);
  for (uint32_t i = 0; i < out; i++) set_mask(l, ip->a + i, to[i]);
  vec_release(&masks);
}

static void move_element(const struct look *l) {
  const union insn *ip = l->ip;
  uint64_t i = l->r[ip->c];
  if (ip->op == OP_EXTRACTX)
    copy_slots(l, ip->a, ip->b + (uint32_t)(i < ip[1].hi ? i : 0) * ip[1].lo, ip[1].lo);
  else if (i < ip[1].hi)
    copy_slots(l, ip->a + (uint32_t)i * ip[1].lo, ip->b, ip[1].lo);
}

/* --- calls --- */

/* Arguments that are handed on as they are, not looked at. */
static bool is_handed_on(const struct machine *m, uint32_t callee, uint32_t argument) {
  builtin_function *run = m->externs[callee].run;
  if (run == thread_builtin_create) return argument == 3;
  return run == thread_builtin_exit ||
         (argument > 0 && strncmp(image_string(m->image, m->image->externs[callee].name), "__hd_atomic16", 13) == 0);
}

static enum run call_extern(const struct look *l, uint32_t callee) {
  const union insn *ip = l->ip;
  for (uint32_t i = 0; i < ip->b; i++) {
    if (!mask_of(l, ip[2].slots[i]) || is_handed_on(l->m, callee, i)) continue;
    struct text what = {0};
    text_printf(&what, "argument %u of %s", i + 1, image_string(l->m->image, l->m->image->externs[callee].name));
    enum run run = fail(l, "call", text_str(&what));
    text_release(&what);
    return run;
  }
  clear_slots(l, ip->a, ip->c);
  return RUN_GO;
}

static uint32_t frame_end(const struct machine *m, const struct frame *frame) {
  const struct image_function *f = &m->image->functions[frame->function];
  return frame->base + f->slots + f->nconstants;
}

/* The parameters have what the arguments had. */
static enum run call_function(const struct look *l, uint32_t callee) {
  const union insn *ip = l->ip;
  uint32_t base = frame_end(l->m, l->frame), params = l->m->image->functions[callee].params, n = ip->b < params ? ip->b : params;
  undefined_cut(l->t, base);
  for (uint32_t i = 0; i < n; i++) undefined_set(l->t, base + i, mask_of(l, ip[2].slots[i]));
  return RUN_GO; /* its OP_RET says what of the result is defined */
}

static enum run call(const struct look *l) {
  const union insn *ip = l->ip;
  const struct image *image = l->m->image;
  uint32_t callee = ip[1].lo;
  l->frame->pc = (uint32_t)(ip - image->code);
  undefined_settle(l->m, l->t);
  if (ip->op == OP_CALLX) return call_extern(l, callee);
  if (ip->op == OP_CALLI || ip->op == OP_CALLIV) {
    enum run run = used(l, mask_of(l, ip[1].lo), "call", "the address of the called function");
    uint64_t target = l->r[ip[1].lo] - TEXT_BASE;
    if (run != RUN_GO || target % 16 || target / 16 >= (uint64_t)image->nfunctions + image->nexterns) return run;
    callee = (uint32_t)(target / 16);
    if (callee >= image->nfunctions) return call_extern(l, callee - image->nfunctions);
  }
  return call_function(l, callee);
}

static enum run return_to_caller(const struct look *l) {
  const union insn *ip = l->ip;
  struct thread *t = l->t;
  if (t->frames.count == t->floor + 1) { /* others get it by joining the thread: it is defined from then on */
    bool exits = t->stage == STAGE_MAIN && ip->b && !t->floor;
    enum run run = exits ? used(l, mask_of(l, ip->a), "exit", "the exit status") : RUN_GO;
    if (run == RUN_GO) undefined_cut(t, l->frame->base);
    return run;
  }
  const struct frame *caller = l->frame - 1;
  const union insn *at = l->m->image->code + caller->pc;
  for (uint32_t i = 0; i < at->c; i++) undefined_set(t, caller->base + at->a + i, i < ip->b ? mask_of(l, ip->a + i) : 0);
  undefined_cut(t, l->frame->base);
  return RUN_GO;
}

/* --- all instructions --- */

static bool is_between(unsigned op, unsigned first, unsigned last) { return op >= first && op <= last; }

/* long: one short case for each family of instructions that only compute */
static enum run compute(struct look *l) {
  const union insn *ip = l->ip;
  const char kind = opcode_table[ip->op].operands[2];
  if (is_between(ip->op, OP_EQ, OP_SGTI64)) {
    set_mask(l, ip->a, undefined_comparison(ip->op, operands(l, ip->b, ip->c, kind)));
    return RUN_GO;
  }
  switch (ip->op) {
    case OP_MOV:
      copy_slots(l, ip->a, ip->b, 1);
      return RUN_GO;
    case OP_MOV2:
      copy_slots(l, ip->a, ip->b, 2);
      return RUN_GO;
    case OP_MOVN:
      copy_slots(l, ip->a, ip->b, ip->c);
      return RUN_GO;
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_ANDI:
    case OP_ORI:
    case OP_XORI:
      set_mask(l, ip->a, undefined_bitwise(ip->op, operands(l, ip->b, ip->c, kind)));
      return RUN_GO;
    case OP_ADD32:
    case OP_SUB32:
    case OP_MUL32:
    case OP_ADDI32:
    case OP_MULI32:
      set_mask(l, ip->a, (uint32_t)undefined_sum(all_reads(l)));
      return RUN_GO;
    case OP_ADD64:
    case OP_SUB64:
    case OP_MUL64:
    case OP_ADDI64:
    case OP_MULI64:
      set_mask(l, ip->a, undefined_sum(all_reads(l)));
      return RUN_GO;
    case OP_SHL32:
    case OP_LSHR32:
    case OP_ASHR32:
    case OP_SHL64:
    case OP_LSHR64:
    case OP_ASHR64:
    case OP_SHLI32:
    case OP_LSHRI32:
    case OP_ASHRI32:
    case OP_SHLI64:
    case OP_LSHRI64:
    case OP_ASHRI64:
      set_mask(l, ip->a, undefined_shift(ip->op, operands(l, ip->b, ip->c, kind)));
      return RUN_GO;
    case OP_TRUNC:
      set_mask(l, ip->a, low_bits(mask_of(l, ip->b), ip->c));
      return RUN_GO;
    case OP_SEXT:
      set_mask(l, ip->a, low_bits((uint64_t)sign_bits(mask_of(l, ip->b), ip->c & 255), ip->c >> 8));
      return RUN_GO;
    case OP_SEXT8_32:
    case OP_SEXT16_32:
      set_mask(l, ip->a, (uint32_t)sign_bits(mask_of(l, ip->b), ip->op == OP_SEXT8_32 ? 8 : 16));
      return RUN_GO;
    case OP_SEXT8_64:
    case OP_SEXT16_64:
    case OP_SEXT32_64:
      set_mask(l, ip->a, (uint64_t)sign_bits(mask_of(l, ip->b), ip->op == OP_SEXT8_64 ? 8 : ip->op == OP_SEXT16_64 ? 16 : 32));
      return RUN_GO;
    case OP_SELECT:
    case OP_SELECTN:
      select_slots(l);
      return RUN_GO;
    case OP_WAND:
    case OP_WOR:
    case OP_WXOR:
      wide_bitwise(l);
      return RUN_GO;
    case OP_WSHL:
    case OP_WLSHR:
    case OP_WASHR:
      wide_shift(l);
      return RUN_GO;
    case OP_PACK:
      convert_layout(l);
      return RUN_GO;
    case OP_DEFINE:
      set_mask(l, ip->a, 0);
      return RUN_GO;
    default:
      spread(l, is_between(ip->op, OP_FOEQ, OP_FUNO) || is_between(ip->op, OP_GOEQ, OP_GUNO) || is_between(ip->op, OP_WEQ, OP_WSLE) ||
                        ip->op == OP_XCMP
                    ? 1
                    : UINT64_MAX);
      return RUN_GO;
  }
}

static bool divides(unsigned op) { return is_between(op, OP_UDIV32, OP_SREM64) || is_between(op, OP_WUDIV, OP_WSREM); }

static enum run branch(struct look *l) {
  const union insn *ip = l->ip;
  uint64_t undecided;
  if (is_between(ip->op, OP_JEQ, OP_JSGTI64))
    undecided = undefined_comparison(ip->op - OP_JEQ + OP_EQ, operands(l, ip->a, ip->b, opcode_table[ip->op].operands[1]));
  else
    undecided = ip->op == OP_JMP ? 0 : all_reads(l);
  bool backwards = (int16_t)ip->c < 0 || ip->op == OP_JMP;
  if (undecided) return fail(l, "branch", "a decision");
  if (backwards) {
    l->frame->pc = (uint32_t)(ip - l->m->image->code);
    undefined_settle(l->m, l->t);
  }
  return RUN_GO;
}

_Static_assert(OP_JSGTI64 - OP_JEQ == OP_SGTI64 - OP_EQ, "a comparison and its jump stand at the same place of their lists");

/* A compare-and-exchange decides by the value that it expects. Of one with padding some bits are undefined, which libraries leave so. */
static enum run compared(const struct look *l) {
  uint64_t all = low_bits(UINT64_MAX, (l->ip[1].hi & 255) * 8);
  return used(l, (mask_of(l, l->ip->c) & all) == all, "compare", "a compare-and-exchange");
}

static uint64_t undefined_update(enum rmw_op op, struct undefined_pair p) {
  switch (op) {
    case RMW_XCHG:
      return p.my;
    case RMW_ADD:
    case RMW_SUB:
      return undefined_sum(p.mx | p.my);
    case RMW_AND:
    case RMW_NAND:
      return undefined_bitwise(OP_AND, p);
    case RMW_OR:
      return undefined_bitwise(OP_OR, p);
    case RMW_XOR:
      return undefined_bitwise(OP_XOR, p);
    case RMW_MAX:
    case RMW_MIN:
    case RMW_UMAX:
    case RMW_UMIN:
    case RMW_UINC_WRAP:
    case RMW_UDEC_WRAP:
    case RMW_FADD:
    case RMW_FSUB:
    case RMW_FMAX:
    case RMW_FMIN:
      break;
  }
  return p.mx | p.my ? UINT64_MAX : 0;
}

void undefined_updated(struct thread *t, uint32_t slot, const union insn *ip, struct undefined_pair p, uint64_t address) {
  undefined_set(t, slot, p.mx);
  if (p.mx | p.my) undefined_put(undefined_update((enum rmw_op)ip[1].lo, p), address, ip[1].hi & 255);
}

/* Whether it exchanges is not known where defined bits of what was expected meet undefined ones in memory, and all others are the same.
 * Padding is undefined on both sides, as a rule, and is left alone. */
void undefined_exchanged(struct thread *t, uint32_t slot, const union insn *ip, struct undefined_pair p, uint64_t desired,
                         uint64_t address) {
  unsigned size = ip[1].hi & 255;
  bool exchanged = t->slots.data[slot + 1] & 1, differs = (p.x ^ p.y) & ~(p.mx | p.my) & low_bits(UINT64_MAX, 8 * size);
  uint64_t open = differs ? 0 : p.mx & ~p.my;
  undefined_set(t, slot, p.mx);
  undefined_set(t, slot + 1, open ? 1 : 0);
  undefined_put(exchanged ? desired | open : p.mx, address, size);
}

enum run undefined_insn(struct machine *m, struct thread *t, struct frame *frame, const union insn *ip, const uint64_t *r) {
  struct look l = {.m = m, .t = t, .frame = frame, .ip = ip, .r = r};
  unsigned op = ip->op;
  if (is_between(op, OP_JMP, OP_IBR)) return branch(&l);
  if (is_between(op, OP_LD8, OP_ST64) || op == OP_LDN || op == OP_STN) return used_as_address(&l, mask_of(&l, ip->b));
  if (is_between(op, OP_LDX8, OP_STX64)) return used_as_address(&l, mask_of(&l, ip->b) | mask_of(&l, ip->c));
  if (insn_is_call(op)) return call(&l);
  if (divides(op)) {
    enum run run = used(&l, mask_of(&l, ip->c) | (op >= OP_WUDIV ? mask_of(&l, ip->c + 1u) : 0), "division", "a divisor");
    if (run == RUN_GO) spread(&l, UINT64_MAX);
    return run;
  }
  switch (op) {
    case OP_RET:
      return return_to_caller(&l);
    case OP_MEMCPY:
    case OP_MEMMOVE:
      return used_as_address(&l, all_reads(&l));
    case OP_MEMSET:
      return used_as_address(&l, mask_of(&l, ip->a) | mask_of(&l, ip->c));
    case OP_ALLOCAX:
      return used(&l, all_reads(&l), "allocation", "the size of a local variable");
    case OP_VASTART:
    case OP_VACOPY:
    case OP_LIFETIME:
      return used_as_address(&l, all_reads(&l));
    case OP_ATOMIC_LD:
    case OP_ATOMIC_ST:
    case OP_ATOMIC_RMW:
    case OP_ATOMIC_CAS: {
      enum run run = used_as_address(&l, mask_of(&l, ip->b));
      return run == RUN_GO && op == OP_ATOMIC_CAS ? compared(&l) : run;
    }
    case OP_EXTRACTX:
    case OP_INSERTX: {
      enum run run = used(&l, mask_of(&l, ip->c), "index", "the index of a vector's element");
      if (run == RUN_GO) move_element(&l);
      return run;
    }
    case OP_FENCE:
    case OP_SPRESTORE:
    case OP_RESUME:
    case OP_UNREACHABLE:
    case OP_COVER:
    case OP_REFUSE:
      return RUN_GO;
    default:
      return compute(&l);
  }
}
