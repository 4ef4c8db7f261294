/* Terminators, edges with their phi moves, and where control falls through. */
#include <stdlib.h>

#include "program/lower/lower.h"

struct move {
  uint32_t to, from;
  uint32_t undefined; /* so many bits of an undefined value; `from` is NONE */
};

static uint32_t incoming_index(const struct block *from, LLVMValueRef phi, unsigned hint) {
  unsigned n = LLVMCountIncoming(phi);
  if (hint < n && LLVMGetIncomingBlock(phi, hint) == from->bb) return hint;
  for (unsigned k = 0; k < n; k++)
    if (LLVMGetIncomingBlock(phi, k) == from->bb) return k;
  return NONE;
}

static bool is_constant_slot(uint32_t slot) { return slot >= CONSTANT_BASE; }

typedef VEC(struct move) moves_t;

/* The next phi of `to` behind `v` (NULL: the first) that gets a value by the edge, the one that comes from *index; NULL: there is none. */
static LLVMValueRef next_moved(struct fn *f, uint32_t from, uint32_t to, LLVMValueRef v, uint32_t *index) {
  unsigned hint = v ? *index : 0;
  v = v ? LLVMGetNextInstruction(v) : LLVMGetFirstInstruction(f->blocks.data[to].bb);
  for (; v && LLVMGetInstructionOpcode(v) == LLVMPHI; v = LLVMGetNextInstruction(v)) {
    const struct value *x = &f->values.data[fn_id(f, v)];
    if (x->how != HOW_EMIT || x->type->slots == 0) continue;
    *index = incoming_index(&f->blocks.data[from], v, hint);
    if (*index != NONE) return v;
  }
  return NULL;
}

/* The moves that the edge needs; constants are in slots as everything else. `shadow`: to the phis' shadow slots. */
static void collect_moves(struct fn *f, uint32_t from, uint32_t to, bool shadow, moves_t *moves) {
  uint32_t index;
  for (LLVMValueRef v = next_moved(f, from, to, NULL, &index); v; v = next_moved(f, from, to, v, &index)) {
    const struct value *x = &f->values.data[fn_id(f, v)];
    LLVMValueRef value = LLVMGetIncomingValue(v, index);
    uint32_t target = shadow ? x->shadow : x->slot;
    if (is_undefined(f, value)) {
      for (uint32_t i = 0; i < x->type->slots; i++) *vec_push(moves) = (struct move){target + i, NONE, undefined_bits(f, x->type, i)};
      continue;
    }
    uint32_t source = use_slot(f, value);
    for (uint32_t i = 0; i < x->type->slots; i++)
      if (source != target) *vec_push(moves) = (struct move){target + i, source + i, 0};
  }
}

/* Is the edge's move list not empty? Looks without emitting. */
static bool has_moves(struct fn *f, uint32_t from, uint32_t to) {
  uint32_t index;
  for (LLVMValueRef v = next_moved(f, from, to, NULL, &index); v; v = next_moved(f, from, to, v, &index)) {
    LLVMValueRef source = LLVMGetIncomingValue(v, index);
    if (fn_id(f, source) == NONE || use_slot(f, source) != f->values.data[fn_id(f, v)].slot) return true;
  }
  return false;
}

static void emit_move(struct fn *f, struct move m) {
  if (m.undefined)
    emit(f, OP_UNDEF, m.to, m.undefined, 0);
  else if (is_constant_slot(m.from))
    emit_load_constant(f, m.to, f->constants.data[m.from - CONSTANT_BASE]);
  else
    emit(f, OP_MOV, m.to, m.from, 0);
}

static bool is_late(const struct fn *f, uint32_t slot) {
  for (size_t i = 0; i < f->late.count; i++)
    if (CONSTANT_BASE + f->late.data[i].slot == slot) return true;
  return false;
}

static bool is_read(const moves_t *moves, uint32_t slot, size_t except) {
  for (size_t i = 0; i < moves->count; i++)
    if (i != except && moves->data[i].from == slot) return true;
  return false;
}

/* As if all moves happened at once: a move goes when nobody reads its target any more; a cycle is opened with a temporary. */
static void emit_moves(struct fn *f, moves_t *moves) {
  while (moves->count > 0) {
    bool progress = false;
    for (size_t i = 0; i < moves->count;) {
      struct move m = moves->data[i];
      if (is_read(moves, m.to, i)) {
        i++;
        continue;
      }
      if (is_late(f, m.from))
        emit(f, OP_MOV, m.to, m.from, 0);
      else
        emit_move(f, m);
      moves->data[i] = vec_pop(moves), progress = true;
    }
    if (progress) continue;
    uint32_t t = temp_slots(f, 1), opened = moves->data[0].from;
    emit(f, OP_MOV, t, opened, 0);
    for (size_t i = 0; i < moves->count; i++)
      if (moves->data[i].from == opened) moves->data[i].from = t;
  }
}

/* The block that is laid out behind the one at hand. */
static uint32_t next_block(const struct fn *f) {
  uint32_t b = f->laid_out + 1;
  while (b < f->blocks.count && !f->blocks.data[b].reachable) b++;
  return b;
}

#define DUPLICATE_MOST 4

/* A small loop header that ends in a two-way branch is better copied to the end of the loop than jumped to. Copying is always right:
 * values live in slots, so the copy computes the same ones. */
static bool worth_copying(const struct fn *f, uint32_t to) {
  const struct block *b = &f->blocks.data[to];
  return !f->duplicating && !f->at_end && to <= f->laid_out && b->size <= DUPLICATE_MOST &&
         LLVMGetInstructionOpcode(b->terminator) == LLVMBr && LLVMIsConditional(b->terminator);
}

static void emit_goto(struct fn *f, uint32_t to) {
  if (!f->at_end && to == next_block(f)) return;
  if (!worth_copying(f, to)) {
    emit_jump(f, to);
    return;
  }
  f->duplicating++;
  emit_block_body(f, to);
  f->duplicating--;
}

void emit_edge(struct fn *f, uint32_t from, uint32_t to) {
  moves_t moves = {0};
  collect_moves(f, from, to, false, &moves);
  emit_moves(f, &moves);
  vec_release(&moves);
  emit_goto(f, to);
}

uint32_t edge_label(struct fn *f, uint32_t from, uint32_t to, uint32_t restore) {
  if (restore == NONE && !has_moves(f, from, to)) return to;
  for (size_t i = f->edges.count; i-- > 0;)
    if (f->edges.data[i].from == from && f->edges.data[i].to == to && f->edges.data[i].restore == restore) return f->edges.data[i].label;
  uint32_t label = new_label(f);
  *vec_push(&f->edges) = (struct edge){from, to, label, restore, f->insn, f->insn_number};
  return label;
}

/* Blocks whose address is taken and that have phis are entered through a stub that fills the phis from their shadows. */
static void emit_address_stubs(struct fn *f) {
  for (uint32_t b = 0; b < f->blocks.count; b++) {
    struct block *block = &f->blocks.data[b];
    if (!block->stub) continue;
    f->insn = block->terminator, f->block = b, f->site_set = false, f->temps = 0;
    place_label(f, block->stub_label);
    for (LLVMValueRef v = LLVMGetFirstInstruction(block->bb); LLVMGetInstructionOpcode(v) == LLVMPHI; v = LLVMGetNextInstruction(v)) {
      const struct value *x = &f->values.data[fn_id(f, v)];
      if (x->how == HOW_EMIT && x->shadow != NONE) emit_copy(f, x->slot, x->shadow, x->type->slots);
    }
    emit_jump(f, b);
  }
}

void emit_pending_edges(struct fn *f) {
  f->at_end = true;
  for (size_t i = 0; i < f->edges.count && !f->l->failed; i++) {
    struct edge e = f->edges.data[i];
    f->insn = e.insn, f->insn_number = e.insn_number, f->block = e.from, f->site_set = false, f->temps = 0;
    place_label(f, e.label);
    struct code_place here = code_place(f);
    if (e.restore != NONE) emit(f, OP_SPRESTORE, e.restore, 0, 0), f->temps = e.restore + 1 - f->nvalue_slots;
    emit_edge(f, e.from, e.to);
    emit_refusal(f, here);
  }
  emit_address_stubs(f);
  f->at_end = false;
}

/* Branches ------------------------------------------------------------- */

static void branch_on(struct fn *f, LLVMValueRef condition, bool sense, uint32_t label) {
  uint32_t id = fn_id(f, condition);
  uint64_t k;
  if (id != NONE && f->values.data[id].how == HOW_FOLD && LLVMGetInstructionOpcode(condition) == LLVMXor) {
    branch_on(f, LLVMGetOperand(condition, 0), !sense, label);
  } else if (id != NONE && f->values.data[id].how == HOW_FOLD) {
    struct compare c = compare_form(f, condition, !sense);
    emit_branch(f, OP_JEQ + (c.op - OP_EQ), c.a, c.b, label);
  } else if (const_integer(condition, &k)) {
    if ((k != 0) == sense) emit_jump(f, label);
  } else {
    emit_branch(f, sense ? OP_JNZ : OP_JZ, use_slot(f, condition), 0, label);
  }
}

/* Is `yes` what the instructions behind the branch go to, so that the branch itself jumps to `no`? The block that is laid out next, of
 * course. Where that is neither, the branch itself jumps back into the loop, to the nearer of two blocks before it (the other one is
 * where the loop ends): that is one instruction a round. Unless the way back has moves, or is a header to copy. */
static bool falls_to_yes(struct fn *f, uint32_t from, uint32_t yes, uint32_t no) {
  uint32_t next = f->at_end ? NONE : next_block(f);
  if (next == yes || next == no) return next == yes;
  if (yes > f->laid_out && no > f->laid_out) return false;
  bool yes_is_back = no > f->laid_out || (yes <= f->laid_out && yes > no);
  uint32_t back = yes_is_back ? yes : no;
  bool jumps_back = !has_moves(f, from, back) && !worth_copying(f, back);
  return yes_is_back != jumps_back;
}

static void emit_conditional(struct fn *f, LLVMValueRef v, uint32_t from, uint32_t yes, uint32_t no) {
  LLVMValueRef condition = LLVMGetCondition(v);
  if (falls_to_yes(f, from, yes, no)) {
    branch_on(f, condition, false, edge_label(f, from, no, NONE));
    emit_edge(f, from, yes);
  } else {
    branch_on(f, condition, true, edge_label(f, from, yes, NONE));
    emit_edge(f, from, no);
  }
}

struct switch_case {
  uint64_t value;
  uint32_t label;
};

static int by_value(const void *a, const void *b) {
  uint64_t x = ((const struct switch_case *)a)->value, y = ((const struct switch_case *)b)->value;
  return x < y ? -1 : x > y;
}

static void switch_dense(struct fn *f, uint32_t s, const struct switch_case *cases, uint32_t n, uint32_t otherwise) {
  struct image_builder *im = &f->l->image;
  uint32_t first = (uint32_t)im->targets.count, k = 0;
  uint64_t low = cases[0].value, span = cases[n - 1].value - low + 1;
  for (uint64_t i = 0; i < span; i++) {
    bool hit = cases[k].value == low + i;
    *vec_push(&im->targets) = 0;
    *vec_push(&f->fixups) = (struct fixup){FIX_TARGET, first + (uint32_t)i, hit ? cases[k++].label : otherwise};
  }
  uint32_t at = emit(f, OP_SWITCHD, s, 0, 0);
  emit_halves(f, first, (uint32_t)span);
  emit_word(f, 0);
  emit_word(f, low);
  *vec_push(&f->fixups) = (struct fixup){FIX_DEFAULT, at, otherwise};
}

static void switch_sparse(struct fn *f, uint32_t s, const struct switch_case *cases, uint32_t n, uint32_t otherwise) {
  struct image_builder *im = &f->l->image;
  uint32_t first = (uint32_t)im->cases.count;
  for (uint32_t i = 0; i < n; i++) {
    *vec_push(&im->cases) = (struct image_case){.value = cases[i].value};
    *vec_push(&f->fixups) = (struct fixup){FIX_CASE, first + i, cases[i].label};
  }
  uint32_t at = emit(f, OP_SWITCH, s, 0, 0);
  emit_halves(f, first, n);
  emit_word(f, 0);
  *vec_push(&f->fixups) = (struct fixup){FIX_DEFAULT, at, otherwise};
}

static void emit_switch(struct fn *f, LLVMValueRef v, uint32_t from) {
  LLVMValueRef condition = LLVMGetOperand(v, 0);
  uint32_t n = LLVMGetNumSuccessors(v) - 1, otherwise = fn_block_id(f, LLVMGetSwitchDefaultDest(v));
  if (type_of_value(f->l, condition)->bits > 64) {
    lower_fail(f->l, v, "a switch on more than 64 bits");
    return;
  }
  VEC(struct switch_case) cases = {0};
  for (uint32_t i = 0; i < n; i++) {
    uint32_t to = fn_block_id(f, LLVMGetSuccessor(v, i + 1));
    *vec_push(&cases) = (struct switch_case){LLVMConstIntGetZExtValue(LLVMGetOperand(v, 2 * i + 2)), edge_label(f, from, to, NONE)};
  }
  uint32_t s = use_slot(f, condition);
  if (n) qsort(cases.data, n, sizeof *cases.data, by_value);
  uint64_t span = n ? cases.data[n - 1].value - cases.data[0].value : 0;
  if (n <= 3) {
    for (uint32_t i = 0; i < n; i++) {
      bool small = cases.data[i].value <= UINT16_MAX;
      emit_branch(f, small ? OP_JEQI : OP_JEQ, s, small ? (uint32_t)cases.data[i].value : constant_slot(f, cases.data[i].value),
                  cases.data[i].label);
    }
    emit_edge(f, from, otherwise);
  } else if (span < 4ull * n + 8) {
    switch_dense(f, s, cases.data, n, edge_label(f, from, otherwise, NONE));
  } else {
    switch_sparse(f, s, cases.data, n, edge_label(f, from, otherwise, NONE));
  }
  vec_release(&cases);
}

static void emit_indirect(struct fn *f, LLVMValueRef v, uint32_t from) {
  moves_t moves = {0};
  uint32_t s = use_slot(f, LLVMGetOperand(v, 0));
  const struct block *b = &f->blocks.data[from];
  for (uint32_t k = 0; k < b->nsuccs; k++) {
    uint32_t to = f->succs.data[b->first_succ + k];
    bool seen = false;
    for (uint32_t i = 0; i < k; i++) seen |= f->succs.data[b->first_succ + i] == to;
    if (!seen) collect_moves(f, from, to, true, &moves);
  }
  emit_moves(f, &moves);
  vec_release(&moves);
  emit(f, OP_IBR, s, 0, 0);
}

void emit_terminator(struct fn *f, LLVMValueRef v, LLVMOpcode op) {
  uint32_t from = f->block;
  switch ((int)op) {
    case LLVMRet: {
      uint32_t n = f->result->slots;
      if (f->section) emit_extern_call(f, "__hd_atomic_end", 0, 0, NULL, 0);
      emit(f, OP_RET, n ? use_slot(f, LLVMGetOperand(v, 0)) : 0, n, 0);
      return;
    }
    case LLVMBr: {
      uint32_t yes = fn_block_id(f, LLVMGetSuccessor(v, 0));
      uint32_t no = LLVMIsConditional(v) ? fn_block_id(f, LLVMGetSuccessor(v, 1)) : yes;
      if (yes == no)
        emit_edge(f, from, yes);
      else
        emit_conditional(f, v, from, yes, no);
      return;
    }
    case LLVMSwitch:
      emit_switch(f, v, from);
      return;
    case LLVMIndirectBr:
      emit_indirect(f, v, from);
      return;
    case LLVMInvoke:
      emit_call(f, v);
      if (!f->l->failed) emit_edge(f, from, fn_block_id(f, LLVMGetNormalDest(v)));
      return;
    case LLVMResume:
      emit(f, OP_RESUME, use_slot(f, LLVMGetOperand(v, 0)), 0, 0);
      return;
    case LLVMUnreachable:
      emit(f, OP_UNREACHABLE, 0, 0, 0);
      return;
    default:
      lower_fail(f->l, v, "this way of leaving a block");
  }
}
