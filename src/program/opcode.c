#include "program/opcode.h"

#include <stdbool.h>

#include "program/image.h"
#include "program/insn.h"

const struct opcode_info opcode_table[OP_COUNT] = {
#define X(name, operands, words) [OP_##name] = {#name, operands, words},
    OPCODE_LIST(X)
#undef X
};

const char *const intrinsic_names[INTR_COUNT] = {
#define X(name) [INTR_##name] = #name,
    INTRINSIC_LIST(X)
#undef X
};

static unsigned arg_words(unsigned n) { return (n + 3) / 4; }

bool insn_is_call(unsigned op) { return op >= OP_CALL && op <= OP_CALLIV; }
bool insn_is_variadic_call(unsigned op) { return op == OP_CALLV || op == OP_CALLIV; }

unsigned insn_words(const union insn *p) {
  unsigned extension = opcode_table[p->op].words;
  if (extension != VAR) return 1 + extension;
  unsigned words = 2 + arg_words(p->b);
  if (insn_is_variadic_call(p->op)) words += 1 + 2 * p[words].hi;
  return words;
}

bool insn_falls_through(unsigned op) {
  switch (op) {
    case OP_JMP:
    case OP_SWITCH:
    case OP_SWITCHD:
    case OP_IBR:
    case OP_UNREACHABLE:
    case OP_REFUSE:
    case OP_RET:
    case OP_RESUME:
      return false;
    default:
      return true;
  }
}

unsigned layout_slots(const struct image_layout *layout, const struct image_leaf *leaves) {
  unsigned n = 0;
  for (uint32_t i = 0; i < layout->count; i++) n += leaves[layout->first + i].kind == LEAF_WIDE ? 2 : 1;
  return n;
}

/* Slots that an intrinsic writes at width `bits`. */
static unsigned intrinsic_results(unsigned intrinsic, unsigned bits) {
  unsigned value = bits > 64 ? 2 : 1;
  switch (intrinsic) {
    case INTR_SADD_OVERFLOW:
    case INTR_UADD_OVERFLOW:
    case INTR_SSUB_OVERFLOW:
    case INTR_USUB_OVERFLOW:
    case INTR_SMUL_OVERFLOW:
    case INTR_UMUL_OVERFLOW:
    case INTR_FREXP:
      return value + 1;
    case INTR_LROUND:
    case INTR_LLROUND:
    case INTR_LRINT:
    case INTR_LLRINT:
    case INTR_FPCLASS:
    case INTR_FLT_ROUNDS:
    case INTR_RETURNADDRESS:
    case INTR_FRAMEADDRESS:
      return 1;
    case INTR_TRAP:
    case INTR_DEBUGTRAP:
      return 0;
    default:
      return value;
  }
}

static void visit_args(const union insn *p, unsigned first, unsigned n, insn_slot_fn *visit, void *context) {
  (void)p;
  for (unsigned i = 0; i < n; i++) visit(context, first + i / 4, i % 4, 1, false);
}

static void visit_call(const union insn *p, const struct insn_layouts *layouts, insn_slot_fn *visit, void *context) {
  if (p->op == OP_CALLI || p->op == OP_CALLIV) visit(context, 1, 0, 1, false);
  visit_args(p, 2, p->b, visit, context);
  if (insn_is_variadic_call(p->op)) {
    unsigned w = 2 + arg_words(p->b);
    uint32_t n = p[w].hi;
    for (uint32_t i = 0; i < n; i++) {
      const union insn *v = &p[w + 1 + 2 * i];
      visit(context, w + 1 + 2 * i, 0, v->slots[1] == VARIADIC_LAYOUT ? insn_layout_slots(layouts, (uint32_t)v[1].word) : 1, false);
    }
  }
  if (p->c) visit(context, 0, 1, p->c, true);
}

static void visit_by_table(const union insn *p, insn_slot_fn *visit, void *context) {
  const char *operands = opcode_table[p->op].operands;
  for (unsigned i = 0; i < 3; i++) {
    if (operands[i] == 's') visit(context, 0, i + 1, 1, false);
    if (operands[i] == 'S') visit(context, 0, i + 1, 2, false);
  }
  if (operands[0] == 'd') visit(context, 0, 1, 1, true);
  if (operands[0] == 'D') visit(context, 0, 1, 2, true);
}

unsigned insn_layout_slots(const struct insn_layouts *l, uint32_t layout) {
  return layout < l->nlayouts ? layout_slots(&l->layouts[layout], l->leaves) : 0;
}

/* long: one short case for each instruction whose operands the table cannot say */
void insn_each_slot(const union insn *p, const struct insn_layouts *layouts, insn_slot_fn *visit, void *context) {
  if (insn_is_call(p->op)) {
    visit_call(p, layouts, visit, context);
    return;
  }
  switch (p->op) {
    case OP_MOVN:
      visit(context, 0, 2, p->c, false);
      visit(context, 0, 1, p->c, true);
      return;
    case OP_SELECT:
      visit(context, 1, 0, 1, false);
      visit_by_table(p, visit, context);
      return;
    case OP_SELECTN:
      visit(context, 0, 2, 1, false);
      visit(context, 0, 3, p[1].hi, false);
      visit(context, 1, 0, p[1].hi, false);
      visit(context, 0, 1, p[1].hi, true);
      return;
    case OP_LDN:
      visit(context, 0, 2, 1, false);
      visit(context, 0, 1, insn_layout_slots(layouts, p[1].lo), true);
      return;
    case OP_STN:
      visit(context, 0, 2, 1, false);
      visit(context, 0, 1, insn_layout_slots(layouts, p[1].lo), false);
      return;
    case OP_ATOMIC_LD:
    case OP_ATOMIC_ST:
      visit(context, 0, 2, 1, false);
      visit(context, 0, 1, (p->c & 255) > 8 ? 2 : 1, p->op == OP_ATOMIC_LD);
      return;
    case OP_ATOMIC_RMW: {
      unsigned n = (p[1].hi & 255) > 8 ? 2 : 1;
      visit(context, 0, 2, 1, false);
      visit(context, 0, 3, n, false);
      visit(context, 0, 1, n, true);
      return;
    }
    case OP_ATOMIC_CAS: {
      unsigned n = (p[1].hi & 255) > 8 ? 2 : 1;
      visit(context, 0, 2, 1, false);
      visit(context, 0, 3, n, false);
      visit(context, 1, 0, n, false);
      visit(context, 0, 1, n + 1, true);
      return;
    }
    case OP_WSEXT:
      visit(context, 0, 2, p->c <= 64 ? 1 : 2, false);
      visit(context, 0, 1, 2, true);
      return;
    case OP_WCONV:
      visit(context, 0, 2, p->c == CONV_F2W || p->c == CONV_G2W || p->c == CONV_F2V || p->c == CONV_G2V ? 1 : 2, false);
      visit(context, 0, 1, p->c == CONV_W2F || p->c == CONV_W2G || p->c == CONV_V2F || p->c == CONV_V2G ? 1 : 2, true);
      return;
    case OP_RET:
      visit(context, 0, 1, p->b, false);
      return;
    case OP_INTR:
      visit_args(p, 2, p->b, visit, context);
      visit(context, 0, 1, intrinsic_results(p[1].lo, p->c), true);
      return;
    case OP_EXTRACTX:
      visit(context, 0, 2, p[1].lo * p[1].hi, false);
      visit(context, 0, 3, 1, false);
      visit(context, 0, 1, p[1].lo, true);
      return;
    case OP_INSERTX:
      visit(context, 0, 2, p[1].lo, false);
      visit(context, 0, 3, 1, false);
      visit(context, 0, 1, p[1].lo * p[1].hi, false);
      visit(context, 0, 1, p[1].lo * p[1].hi, true);
      return;
    case OP_PACK:
      visit(context, 0, 2, insn_layout_slots(layouts, p[1].lo), false);
      visit(context, 0, 1, insn_layout_slots(layouts, p[1].hi), true);
      return;
    default:
      visit_by_table(p, visit, context);
  }
}
