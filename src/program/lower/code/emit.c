/* Writing the code of one function: words, slots, labels; the loop over its blocks; moving it into the image. */
#include "program/lower/lower.h"

#include <string.h>

#include "program/insn.h"
#include "program/lower/link.h"

/* Sites ---------------------------------------------------------------- */

static bool is_header(const char *file, size_t n) {
  static const char *const folders[] = {"/usr/include/", "/usr/lib/", "/usr/local/include/"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (n > strlen(folders[i]) && memcmp(file, folders[i], strlen(folders[i])) == 0) return true;
  return false;
}

static const char *file_of(LLVMMetadataRef location, unsigned *n) {
  LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(location));
  return file ? LLVMDIFileGetFilename(file, n) : NULL;
}

static bool ends_with(const char *s, size_t n, const char *end) {
  return n >= strlen(end) && memcmp(s + n - strlen(end), end, strlen(end)) == 0;
}

/* The functions of std::atomic are inlined wherever they are called, and it is the call that is of interest; those of other headers are
 * not, or only by optimisation, and who looks for a bug in them wants to see their lines. */
static LLVMMetadataRef location_of(LLVMValueRef v) {
  LLVMMetadataRef innermost = LLVMInstructionGetDebugLoc(v);
  for (LLVMMetadataRef at = innermost; at; at = LLVMDILocationGetInlinedAt(at)) {
    unsigned n = 0;
    const char *file = file_of(at, &n);
    if (!file || !n) return innermost;
    if (!is_header(file, n)) return at;
    if (!ends_with(file, n, "/bits/atomic_base.h") && !ends_with(file, n, "/atomic")) return innermost;
  }
  return innermost;
}

static uint32_t new_site(struct fn *f) {
  struct lower *l = f->l;
  LLVMValueRef v = f->insn;
  struct image_site site = {.function = f->index, .insn = f->insn_number};
  unsigned nd = 0, nf = 0;
  LLVMMetadataRef location = v && LLVMIsAInstruction(v) ? location_of(v) : NULL;
  const char *file = location ? file_of(location, &nf) : NULL;
  if (file && nf) {
    const char *directory = LLVMDIFileGetDirectory(LLVMDIScopeGetFile(LLVMDILocationGetScope(location)), &nd);
    unsigned column = LLVMDILocationGetColumn(location);
    site.file = debug_file(l, directory, nd, file, nf);
    if (is_header(file, nf)) site.flags |= SITE_HEADER;
    site.line = LLVMDILocationGetLine(location), site.column = (uint16_t)(column > 65535 ? 65535 : column);
  }
  if (f->blocks.data[f->block].loop) site.flags |= SITE_LOOP;
  *vec_push(&l->image.sites) = site;
  *vec_push(&l->site_insns) = v;
  return (uint32_t)l->image.sites.count - 1;
}

/* Words ---------------------------------------------------------------- */

void emit_word(struct fn *f, uint64_t word) {
  if (!f->site_set) f->site = new_site(f), f->site_set = true;
  vec_push(&f->code)->word = word;
  *vec_push(&f->sites) = f->site;
}

uint32_t emit(struct fn *f, unsigned op, uint32_t a, uint32_t b, uint32_t c) {
  union insn insn = {.op = (uint16_t)op};
  insn.a = (uint16_t)a, insn.b = (uint16_t)b, insn.c = (uint16_t)c;
  emit_word(f, insn.word);
  return (uint32_t)f->code.count - 1;
}

/* Slots ---------------------------------------------------------------- */

uint32_t temp_slots(struct fn *f, uint32_t n) {
  uint32_t first = f->nvalue_slots + f->temps;
  f->temps += n;
  if (f->temps > f->max_temps) f->max_temps = f->temps;
  if (f->nvalue_slots + f->temps >= CONSTANT_BASE) {
    lower_fail(f->l, f->insn, "a function with more than %u values", CONSTANT_BASE);
    f->hopeless = true;
  }
  return first;
}

static uint32_t add_constants(struct fn *f, const uint64_t *words, uint32_t n) {
  uint32_t first = (uint32_t)f->constants.count;
  memcpy(vec_push_n(&f->constants, n), words, n * sizeof *words);
  if (f->constants.count > 65535 - CONSTANT_BASE) {
    lower_fail(f->l, f->insn, "a function with more than %u constants", 65535 - CONSTANT_BASE);
    f->hopeless = true;
  }
  return first;
}

static uint32_t constant_run(struct fn *f, const uint64_t *words, uint32_t n) {
  uint64_t key = n == 1 ? hash_mix(words[0]) : hash_bytes(words, n * sizeof *words, n);
  for (;; key = hash_mix(key)) {
    bool is_new;
    uint64_t first = *hashmap_at(&f->constant_index, key, f->constants.count, &is_new);
    if (is_new) return CONSTANT_BASE + add_constants(f, words, n);
    if (first + n <= f->constants.count && memcmp(f->constants.data + first, words, n * sizeof *words) == 0)
      return CONSTANT_BASE + (uint32_t)first;
  }
}

uint32_t constant_slot(struct fn *f, uint64_t value) { return constant_run(f, &value, 1); }

#define UNDEFINED_MOST 16 /* slots of an undefined value; larger ones count as defined */

bool is_undefined(struct fn *f, LLVMValueRef v) {
  return LLVMIsUndef(v) && !f->trusted && type_of_value(f->l, v)->slots <= UNDEFINED_MOST &&
         type_check_value(f->l, type_of_value(f->l, v), v);
}

uint32_t undefined_bits(struct fn *f, const struct type_info *t, uint32_t slot) {
  if (t->class != T_VECTOR && t->class != T_ARRAY && t->class != T_STRUCT && t->slots == 1) return t->bits;
  uint32_t index = type_layout(f->l, t);
  const struct image_layout layout = f->l->image.layouts.data[index];
  for (uint32_t i = 0, first = 0; i < layout.count; i++) {
    struct image_leaf leaf = f->l->image.leaves.data[layout.first + i];
    uint32_t slots = leaf.kind == LEAF_WIDE ? 2 : 1, bits = leaf.kind == LEAF_BIT ? 1 : leaf.bytes * 8u;
    if (slot < first + slots) return slot == first ? (bits < 64 ? bits : 64) : (bits > 64 ? bits - 64 : 1);
    first += slots;
  }
  return 64;
}

static uint32_t undefined_operand(struct fn *f, LLVMValueRef v) {
  const struct type_info *t = type_of_value(f->l, v);
  uint32_t d = temp_slots(f, t->slots ? t->slots : 1);
  for (uint32_t i = 0; i < t->slots; i++) emit(f, OP_UNDEF, d + i, undefined_bits(f, t, i), 0);
  return d;
}

/* A constant; an undefined one is zeros. */
static uint32_t constant_operand(struct fn *f, LLVMValueRef v) {
  const struct type_info *t = type_of_value(f->l, v);
  uint64_t word, offset;
  if (const_integer(v, &word)) return constant_slot(f, word);
  if (const_thread_local(f->l, v, &offset)) {
    uint32_t d = temp_slots(f, 1);
    emit(f, OP_TLS, d, 0, 0);
    emit_word(f, offset);
    return d;
  }
  if (!type_check_value(f->l, t, f->insn)) return 0;
  VEC(uint64_t) words = {0};
  if (t->slots) memset(vec_push_n(&words, t->slots), 0, t->slots * sizeof word);
  uint32_t slot = CONSTANT_BASE;
  if (t->slots == 0) {
    slot = 0;
  } else if (const_slots(f->l, v, words.data)) {
    slot = constant_run(f, words.data, t->slots);
  } else if (!f->l->failed) {
    slot = CONSTANT_BASE + add_constants(f, words.data, t->slots);
    *vec_push(&f->late) = (struct late){v, slot - CONSTANT_BASE};
  }
  vec_release(&words);
  return slot;
}

static uint32_t computed_address(struct fn *f, LLVMValueRef gep) {
  struct address a = fn_address(f, gep);
  uint32_t d = temp_slots(f, 1);
  if (a.base == gep || a.index) {
    lower_fail(f->l, gep, "an address used in an unforeseen way");
    return d;
  }
  emit(f, OP_ADD64, d, use_slot(f, a.base), constant_slot(f, (uint64_t)a.offset));
  return d;
}

uint32_t use_slot(struct fn *f, LLVMValueRef v) {
  uint32_t id = fn_id(f, v);
  if (id == NONE) return is_undefined(f, v) ? undefined_operand(f, v) : constant_operand(f, v);
  const struct value *x = &f->values.data[id];
  uint32_t shift = 0;
  if (x->how == HOW_FOLD) return computed_address(f, v);
  if (x->how == HOW_ALIAS) shift = x->shift, x = &f->values.data[x->root];
  return x->slot + shift;
}

uint32_t use_slot_or_zero(struct fn *f, LLVMValueRef v) { return LLVMIsUndef(v) ? constant_operand(f, v) : use_slot(f, v); }

uint32_t def_slot(struct fn *f, LLVMValueRef v) {
  uint32_t id = fn_id(f, v);
  const struct value *x = &f->values.data[id];
  uint32_t shift = 0;
  if (x->how == HOW_ALIAS) shift = x->shift, x = &f->values.data[x->root];
  return x->slot == NONE ? temp_slots(f, x->type->slots ? x->type->slots : 1) : x->slot + shift;
}

void emit_copy(struct fn *f, uint32_t to, uint32_t from, uint32_t n) {
  if (to == from || n == 0) return;
  if (n == 1)
    emit(f, OP_MOV, to, from, 0);
  else if (n == 2)
    emit(f, OP_MOV2, to, from, 0);
  else
    emit(f, OP_MOVN, to, from, n);
}

void emit_load_constant(struct fn *f, uint32_t to, uint64_t value) {
  if ((int64_t)value >= INT16_MIN && (int64_t)value <= INT16_MAX)
    emit(f, OP_LI, to, (uint16_t)value, 0);
  else
    emit(f, OP_MOV, to, constant_slot(f, value), 0);
}

/* Labels --------------------------------------------------------------- */

uint32_t new_label(struct fn *f) {
  *vec_push(&f->labels) = NONE;
  return (uint32_t)f->labels.count - 1;
}

void place_label(struct fn *f, uint32_t label) { f->labels.data[label] = (uint32_t)f->code.count; }

void emit_jump(struct fn *f, uint32_t label) {
  uint32_t at = emit(f, OP_JMP, 0, 0, 0);
  emit_word(f, 0);
  *vec_push(&f->fixups) = (struct fixup){FIX_JUMP, at, label};
}

void emit_branch(struct fn *f, unsigned op, uint32_t a, uint32_t b, uint32_t label) {
  if (f->far) {
    emit(f, op, a, b, 3);
    emit(f, OP_JMP, 0, 0, 0);
    emit_word(f, 4);
    emit_jump(f, label);
    return;
  }
  uint32_t at = emit(f, op, a, b, 0);
  *vec_push(&f->fixups) = (struct fixup){FIX_JUMP16, at, label};
}

/* False: a conditional jump does not reach. */
static bool resolve_labels(struct fn *f, uint32_t base) {
  struct image_builder *im = &f->l->image;
  for (size_t i = 0; i < f->fixups.count; i++) {
    const struct fixup *x = &f->fixups.data[i];
    uint32_t to = f->labels.data[x->target];
    int64_t distance = (int64_t)to - x->at;
    switch (x->kind) {
      case FIX_JUMP:
        f->code.data[x->at + 1].word = (uint64_t)distance;
        break;
      case FIX_JUMP16:
        if (distance < INT16_MIN || distance > INT16_MAX) return false;
        f->code.data[x->at].c = (uint16_t)distance;
        break;
      case FIX_CASE:
        im->cases.data[x->at].target = base + to;
        break;
      case FIX_TARGET:
        im->targets.data[x->at] = base + to;
        break;
      case FIX_DEFAULT:
        f->code.data[x->at + 2].lo = base + to;
        break;
      case FIX_PAD:
        im->pads.data[x->at].target = base + to;
        break;
    }
  }
  return true;
}

/* Blocks --------------------------------------------------------------- */

/* long: one short case for each family of instructions */
static void emit_instruction(struct fn *f, LLVMValueRef v, LLVMOpcode op) {
  const struct type_info *t = type_of_value(f->l, v);
  bool vector =
      t->class == T_VECTOR || (LLVMGetNumOperands(v) > 0 && LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(v, 0))) == LLVMVectorTypeKind);
  switch ((int)op) {
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
      emit_vector(f, v, op);
      return;
    case LLVMExtractValue:
    case LLVMInsertValue:
      emit_aggregate(f, v, op);
      return;
    case LLVMLoad:
      emit_load(f, v);
      return;
    case LLVMStore:
      emit_store(f, v);
      return;
    case LLVMCall:
      emit_call(f, v);
      return;
    case LLVMAlloca:
      emit_alloca(f, v);
      return;
    case LLVMFence:
    case LLVMAtomicCmpXchg:
    case LLVMAtomicRMW:
      emit_atomic(f, v, op);
      return;
    case LLVMFreeze:
      for (uint32_t i = 0, d = def_slot(f, v), s = use_slot_or_zero(f, LLVMGetOperand(v, 0)); i < t->slots; i++)
        emit(f, OP_DEFINE, d + i, s + i, 0);
      return;
    case LLVMVAArg:
      emit_va_arg(f, v);
      return;
    case LLVMLandingPad:
      emit(f, OP_LANDINGPAD, def_slot(f, v), 0, 0);
      return;
    case LLVMSelect:
      if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(v, 0))) == LLVMVectorTypeKind)
        emit_vector(f, v, op);
      else
        emit_select(f, v);
      return;
    case LLVMGetElementPtr:
      if (t->class == T_VECTOR)
        emit_vector(f, v, op);
      else
        emit_gep(f, v);
      return;
    default:
      break;
  }
  if (LLVMIsATerminatorInst(v))
    emit_terminator(f, v, op);
  else if (vector)
    emit_vector(f, v, op);
  else if ((op >= LLVMTrunc && op <= LLVMBitCast) || op == LLVMAddrSpaceCast)
    emit_cast(f, v, op);
  else if (op == LLVMICmp || op == LLVMFCmp)
    emit_compare(f, v, op);
  else if ((op >= LLVMAdd && op <= LLVMXor) || op == LLVMFNeg)
    emit_binary(f, v, op);
  else
    lower_fail(f->l, v, "this instruction");
}

struct code_place code_place(const struct fn *f) {
  return (struct code_place){f->code.count, f->sites.count, f->fixups.count};
}

static void emit_refuse(struct fn *f) {
  struct lower *l = f->l;
  l->failed = false;
  emit(f, OP_REFUSE, 0, 0, 0);
  emit_halves(f, image_builder_string(&l->image, text_str(&l->why), l->why.count), 0);
}

void emit_refusal(struct fn *f, struct code_place since) {
  if (!f->l->failed || f->hopeless) return;
  f->code.count = since.code, f->sites.count = since.sites, f->fixups.count = since.fixups;
  emit_refuse(f);
}

struct line {
  LLVMMetadataRef file;
  unsigned line;
};

/* The instruction begins a line of the program's, or goes on with it behind a call, which may not come back. */
static void emit_cover(struct fn *f, LLVMValueRef v, struct line *last) {
  LLVMMetadataRef location = location_of(v);
  if (!location) return;
  struct line now = {LLVMDIScopeGetFile(LLVMDILocationGetScope(location)), LLVMDILocationGetLine(location)};
  bool calls = LLVMIsACallInst(v) && !LLVMIsAIntrinsicInst(v);
  if (now.line && (now.line != last->line || now.file != last->file)) emit(f, OP_COVER, 0, 0, 0);
  if (now.line) *last = calls ? (struct line){0} : now;
}

void emit_block_body(struct fn *f, uint32_t block) {
  uint32_t number = 0;
  struct line line = {0};
  LLVMValueRef outer = f->insn;
  uint32_t outer_number = f->insn_number, outer_block = f->block;
  f->block = block;
  for (LLVMValueRef v = LLVMGetFirstInstruction(f->blocks.data[block].bb); v && !f->l->failed; v = LLVMGetNextInstruction(v)) {
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    uint32_t id = fn_id(f, v);
    const struct value *x = &f->values.data[id];
    f->insn = v, f->insn_number = number++, f->temps = 0, f->site_set = false;
    struct code_place here = code_place(f);
    debug_local(f, v, op);
    if (block == 0 && number == 1 && f->section) emit_extern_call(f, "__hd_atomic_begin", 0, 0, NULL, 0);
    bool in_place = x->how == HOW_ALIAS && (op == LLVMInsertValue || op == LLVMInsertElement);
    bool emitted = op != LLVMPHI && (x->how == HOW_EMIT || in_place);
    if (emitted && f->l->coverage && !f->trusted) emit_cover(f, v, &line);
    if (emitted) emit_instruction(f, v, op);
    emit_refusal(f, here);
  }
  f->insn = outer, f->insn_number = outer_number, f->block = outer_block;
}

static void emit_blocks(struct fn *f) {
  for (uint32_t b = 0; b < f->blocks.count; b++) *vec_push(&f->labels) = NONE;
  for (uint32_t b = 0; b < f->blocks.count; b++)
    if (f->blocks.data[b].stub) f->blocks.data[b].stub_label = new_label(f);
  for (uint32_t b = 0; b < f->blocks.count && !f->l->failed; b++) {
    if (!f->blocks.data[b].reachable) continue;
    f->laid_out = b;
    place_label(f, b);
    emit_block_body(f, b);
    debug_block_end(f);
  }
  if (!f->l->failed) emit_pending_edges(f);
}

/* Into the image ------------------------------------------------------- */

struct shifter {
  union insn *p;
  uint32_t slots;
};

static void shift_constant(void *context, unsigned word, unsigned field, uint32_t n, bool write) {
  struct shifter *s = context;
  uint16_t *slot = &s->p[word].slots[field];
  (void)n, (void)write;
  if (*slot >= CONSTANT_BASE) *slot = (uint16_t)(*slot - CONSTANT_BASE + s->slots);
}

static void place_constants(struct fn *f, uint32_t slots) {
  struct image_builder *im = &f->l->image;
  struct insn_layouts layouts = {im->layouts.data, im->leaves.data, (uint32_t)im->layouts.count};
  for (size_t at = 0; at < f->code.count; at += insn_words(&f->code.data[at])) {
    struct shifter s = {&f->code.data[at], slots};
    insn_each_slot(s.p, &layouts, shift_constant, &s);
  }
}

static void note_labels(struct fn *f, uint32_t base) {
  for (uint32_t b = 0; b < f->blocks.count; b++)
    if (f->labels.data[b] != NONE) {
      LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(f->blocks.data[b].bb));
      bool taken = false;
      for (; u && !taken; u = LLVMGetNextUse(u)) taken = LLVMGetValueKind(LLVMGetUser(u)) == LLVMBlockAddressValueKind;
      uint32_t label = f->blocks.data[b].stub ? f->blocks.data[b].stub_label : b;
      if (taken) (void)hashmap_at(&f->l->labels, (uint64_t)(uintptr_t)f->blocks.data[b].bb, base + f->labels.data[label], NULL);
    }
}

uint32_t function_params(struct lower *l, LLVMValueRef function) {
  uint64_t n = 0;
  for (LLVMValueRef p = LLVMGetFirstParam(function); p; p = LLVMGetNextParam(p)) n += type_of_value(l, p)->slots;
  return n < CONSTANT_BASE ? (uint32_t)n : 0;
}

static void finish(struct fn *f) {
  struct lower *l = f->l;
  struct image_builder *im = &l->image;
  uint32_t base = (uint32_t)im->code.count, slots = f->nvalue_slots + f->max_temps;
  struct image_function *out = &im->functions.data[f->index];
  uint32_t params = function_params(l, f->f);
  if (slots < params) slots = params;
  if (slots < 1) slots = 1;
  place_constants(f, slots);
  note_labels(f, base);
  out->code = base, out->ncode = (uint32_t)f->code.count;
  out->params = params, out->results = f->result->slots == NONE ? 0 : f->result->slots, out->slots = slots;
  out->constants = (uint32_t)im->constants.count, out->nconstants = (uint32_t)f->constants.count;
  if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f->f))) out->flags |= FUNCTION_VARIADIC;
  memcpy(vec_push_n(&im->code, f->code.count), f->code.data, f->code.count * sizeof *f->code.data);
  memcpy(vec_push_n(&im->code_sites, f->sites.count), f->sites.data, f->sites.count * sizeof *f->sites.data);
  for (size_t i = 0; i < f->late.count; i++)
    *vec_push(&l->late) = (struct late){f->late.data[i].value, out->constants + f->late.data[i].slot};
  if (f->constants.count)
    memcpy(vec_push_n(&im->constants, f->constants.count), f->constants.data, f->constants.count * sizeof *f->constants.data);
  debug_locals_end(f, base);
}

static void clear_code(struct fn *f) {
  vec_clear(&f->code), vec_clear(&f->sites), vec_clear(&f->fixups), vec_clear(&f->labels), vec_clear(&f->edges);
  vec_clear(&f->constants), vec_clear(&f->late), vec_clear(&f->locals);
  if (f->constant_index.count) hashmap_release(&f->constant_index);
  f->max_temps = 0, f->temps = 0;
  vec_clear(&f->local_keys), vec_clear(&f->local_debug);
  if (f->local_last.count) hashmap_clear(&f->local_last);
  f->local_block = 0;
}

struct counts {
  size_t sites, cases, targets, pads, clauses;
};

/* SV-COMP: nothing runs between the entry and the return of a function whose name begins so. */
static bool is_atomic_section(LLVMValueRef function) {
  size_t n;
  const char *name = LLVMGetValueName2(function, &n);
  return strncmp(name, "__VERIFIER_atomic_", 18) == 0 && strcmp(name + 18, "begin") != 0 && strcmp(name + 18, "end") != 0;
}

/* No part of the function can be lowered: all of it is the refusal. */
static void refuse_function(struct fn *f) {
  clear_code(f);
  f->nvalue_slots = 0, f->site_set = false, f->block = 0;
  f->insn = f->l->where ? f->l->where : LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f->f)), f->insn_number = 0;
  if (f->blocks.count == 0) *vec_push(&f->blocks) = (struct block){.bb = LLVMGetEntryBasicBlock(f->f)};
  emit_refuse(f);
  vec_clear(&f->blocks); /* none of them has a label */
}

static void emit_function(struct fn *f) {
  struct lower *l = f->l;
  struct image_builder *im = &l->image;
  fn_plan(f);
  if (!l->failed) fn_coalesce(f);
  if (l->failed) return;
  struct counts before = {im->sites.count, im->cases.count, im->targets.count, im->pads.count, im->clauses.count};
  emit_blocks(f);
  if (l->failed || resolve_labels(f, (uint32_t)im->code.count)) return;
  im->sites.count = l->site_insns.count = before.sites, im->cases.count = before.cases, im->targets.count = before.targets;
  im->pads.count = before.pads, im->clauses.count = before.clauses;
  clear_code(f);
  f->far = true;
  emit_blocks(f);
  if (!l->failed) (void)resolve_labels(f, (uint32_t)im->code.count);
}

void fn_lower(struct lower *l, struct fn *f, uint32_t index) {
  f->l = l, f->f = l->functions.data[index], f->index = index, l->fn = f;
  f->section = is_atomic_section(f->f), f->trusted = link_is_model(f->f);
  f->no_sharing = f->far = f->hopeless = false, f->insn = NULL;
  vec_clear(&f->values), vec_clear(&f->blocks), vec_clear(&f->succs), vec_clear(&f->uses);
  f->result = type_of(l, LLVMGetReturnType(LLVMGlobalGetValueType(f->f)));
  clear_code(f);
  emit_function(f);
  if (l->failed) refuse_function(f);
  finish(f);
  l->fn = NULL;
}

void fn_release(struct fn *f) {
  vec_release(&f->values);
  vec_release(&f->blocks);
  vec_release(&f->succs);
  vec_release(&f->uses);
  vec_release(&f->code);
  vec_release(&f->sites);
  vec_release(&f->fixups);
  vec_release(&f->labels);
  vec_release(&f->edges);
  vec_release(&f->constants);
  vec_release(&f->late);
  vec_release(&f->locals);
  hashmap_release(&f->constant_index);
  mem_free(f->ids.keys, f->ids.cap * sizeof *f->ids.keys);
  mem_free(f->ids.ids, f->ids.cap * sizeof *f->ids.ids);
  mem_free(f->ids.epochs, f->ids.cap * sizeof *f->ids.epochs);
  vec_release(&f->local_keys);
  vec_release(&f->local_debug);
  hashmap_release(&f->local_last);
}
