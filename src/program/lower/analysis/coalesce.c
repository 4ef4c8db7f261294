/* Lets a phi and the values that flow into it share a slot wherever their lifetimes do not overlap, so that the moves on the edges
 * fall away; then gives every value its slots.
 *
 * Lifetimes are judged on the code as it will be emitted: a folded address or comparison reads its operands where its user stands. */
#include <string.h>

#include "program/lower/lower.h"

#define AT_END     UINT32_MAX /* position of a read on the edge out of a block */
#define BLOCKS_MAX 128        /* search no further: then they count as overlapping */
#define CLASS_MAX  16

static void add_use(struct fn *f, LLVMValueRef v, uint32_t block, uint32_t pos) {
  uint32_t id = fn_id(f, v);
  if (id == NONE || LLVMValueIsBasicBlock(v)) return;
  struct value *x = &f->values.data[id];
  if (x->how == HOW_ALIAS) x = &f->values.data[x->root];
  if (x->how == HOW_FOLD) {
    for (unsigned i = 0, n = (unsigned)LLVMGetNumOperands(x->v); i < n; i++) add_use(f, LLVMGetOperand(x->v, i), block, pos);
    return;
  }
  *vec_push(&f->uses) = (struct use){block, pos, x->uses};
  x->uses = (uint32_t)f->uses.count - 1;
}

static void collect_uses(struct fn *f) {
  for (uint32_t i = 0; i < f->values.count; i++) {
    const struct value *x = &f->values.data[i];
    if (LLVMGetValueKind(x->v) != LLVMInstructionValueKind || x->how == HOW_FOLD || x->how == HOW_NONE) continue;
    bool in_place =
        x->how == HOW_ALIAS && (LLVMGetInstructionOpcode(x->v) == LLVMInsertValue || LLVMGetInstructionOpcode(x->v) == LLVMInsertElement);
    if (x->how == HOW_ALIAS && !in_place) continue;
    if (LLVMGetInstructionOpcode(x->v) == LLVMPHI) {
      for (unsigned k = 0, n = LLVMCountIncoming(x->v); k < n; k++) {
        uint32_t from = fn_block_id(f, LLVMGetIncomingBlock(x->v, k));
        if (f->blocks.data[from].reachable) add_use(f, LLVMGetIncomingValue(x->v, k), from, AT_END);
      }
      continue;
    }
    for (unsigned k = 0, n = (unsigned)LLVMGetNumOperands(x->v); k < n; k++) {
      LLVMValueRef operand = LLVMGetOperand(x->v, k);
      if (!LLVMValueIsBasicBlock(operand)) add_use(f, operand, f->values.data[i].block, f->values.data[i].pos);
    }
  }
}

/* Is there a use of `a` in block b at a position in (from, to]? */
static bool used_within(const struct fn *f, const struct value *a, uint32_t b, uint32_t from, uint32_t to) {
  for (uint32_t u = a->uses; u != NONE; u = f->uses.data[u].next) {
    const struct use *use = &f->uses.data[u];
    if (use->block == b && use->pos > from && use->pos <= to) return true;
  }
  return false;
}

/* May `a` still be read after the definition of `b`? */
static bool live_after(struct fn *f, const struct value *a, const struct value *b) {
  bool redefined = a->block == b->block && a->pos > b->pos;
  if (used_within(f, a, b->block, b->pos, redefined ? a->pos : AT_END)) return true;
  if (redefined) return false;
  uint32_t queue[BLOCKS_MAX], head = 0, tail = 0, mark = ++f->mark;
  uint32_t at = b->block;
  for (;;) {
    const struct block *block = &f->blocks.data[at];
    for (uint32_t k = 0; k < block->nsuccs; k++) {
      uint32_t s = f->succs.data[block->first_succ + k];
      if (f->blocks.data[s].mark == mark) continue;
      f->blocks.data[s].mark = mark;
      if (tail == BLOCKS_MAX) return true;
      queue[tail++] = s;
    }
    do {
      if (head == tail) return false;
      at = queue[head++];
      if (a->block == at ? used_within(f, a, at, 0, a->pos) : used_within(f, a, at, 0, AT_END)) return true;
    } while (a->block == at);
  }
}

static bool is_phi(const struct value *x) {
  return LLVMGetValueKind(x->v) == LLVMInstructionValueKind && LLVMGetInstructionOpcode(x->v) == LLVMPHI;
}

static bool overlap(struct fn *f, const struct value *a, const struct value *b) {
  bool pa = LLVMGetValueKind(a->v) == LLVMArgumentValueKind, pb = LLVMGetValueKind(b->v) == LLVMArgumentValueKind;
  if (pa && pb) return true;
  if (is_phi(a) && is_phi(b) && a->block == b->block) return true;
  return live_after(f, a, b) || live_after(f, b, a);
}

static void join(struct fn *f, uint32_t a, uint32_t b) {
  struct value *v = f->values.data;
  uint32_t la = v[a].leader, lb = v[b].leader, count = 0;
  if (la == lb) return;
  for (uint32_t i = la; i != NONE; i = v[i].next_member)
    for (uint32_t k = lb; k != NONE; k = v[k].next_member)
      if (++count > CLASS_MAX * CLASS_MAX / 4 || overlap(f, &v[i], &v[k])) return;
  if (lb < la) { /* a parameter is the smallest of its class: it leads */
    uint32_t t = la;
    la = lb, lb = t;
  }
  uint32_t last = la;
  while (v[last].next_member != NONE) last = v[last].next_member;
  v[last].next_member = lb;
  for (uint32_t k = lb; k != NONE; k = v[k].next_member) v[k].leader = la;
}

static void join_phi(struct fn *f, uint32_t phi) {
  LLVMValueRef v = f->values.data[phi].v;
  for (unsigned k = 0, n = LLVMCountIncoming(v); k < n; k++) {
    uint32_t id = fn_id(f, LLVMGetIncomingValue(v, k));
    if (id == NONE) continue;
    if (f->values.data[id].how == HOW_ALIAS && f->values.data[id].shift == 0) id = f->values.data[id].root;
    const struct value *x = &f->values.data[id];
    if (x->how == HOW_EMIT && x->type->slots == 1 && f->blocks.data[x->block].reachable) join(f, phi, id);
  }
}

static void give_slots(struct fn *f) {
  uint64_t next = 0;
  for (uint32_t i = 0; i < f->values.count; i++) {
    struct value *x = &f->values.data[i];
    if (x->how != HOW_EMIT || x->type->class == T_VOID || x->type->slots == NONE) continue;
    if (is_phi(x) && f->blocks.data[x->block].stub) x->shadow = (uint32_t)next, next += x->type->slots;
    if (x->leader != i) {
      x->slot = f->values.data[x->leader].slot;
      continue;
    }
    x->slot = (uint32_t)next, next += x->type->slots;
    if (next >= CONSTANT_BASE) {
      lower_fail(f->l, NULL, "a function with more than %u values", CONSTANT_BASE);
      return;
    }
  }
  f->nvalue_slots = (uint32_t)next;
}

void fn_coalesce(struct fn *f) {
  bool phis = false;
  for (uint32_t i = 0; i < f->values.count && !phis; i++) phis = f->values.data[i].how == HOW_EMIT && is_phi(&f->values.data[i]);
  if (phis && !f->no_sharing) {
    collect_uses(f);
    for (uint32_t i = 0; i < f->values.count; i++)
      if (f->values.data[i].how == HOW_EMIT && f->values.data[i].type->slots == 1 && is_phi(&f->values.data[i])) join_phi(f, i);
  }
  give_slots(f);
}
