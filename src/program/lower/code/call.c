/* Calls: direct, indirect, to externs, variadic, with arguments by value, with somewhere to unwind to. */
#include <string.h>

#include "program/insn.h"
#include "program/lower/lower.h"

struct variadic {
  uint32_t slot, kind, offset;
  uint64_t detail; /* layout, or bytes */
};

/* Bytes of the area of variadic arguments that are taken, as x86-64's System V ABI has them: a callee saves registers in the first ones,
 * six general ones and eight for floating point; the others' arguments lie behind them. */
struct saved {
  uint32_t general, floating;
};
enum { GENERAL_END = 48, SAVED_END = VARIADIC_SAVED };
static const struct saved nothing_saved = {0, GENERAL_END};

struct call {
  LLVMValueRef v;
  unsigned op;
  uint32_t target;                /* function, extern or slot */
  const struct type_info *result; /* as the callee has it */
  unsigned fixed;                 /* arguments that are not variadic */
  uint32_t saved;                 /* slot of the stack pointer before copies by value, or NONE */
  VEC(uint16_t) args;
  VEC(struct variadic) variadic;
  struct saved saved_area;
  uint32_t area;
};

static LLVMAttributeRef call_attribute(LLVMValueRef call, unsigned argument, const char *name) {
  return LLVMGetCallSiteEnumAttribute(call, argument + 1, LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

static const struct type_info *byval_type(struct fn *f, LLVMValueRef call, unsigned argument, uint32_t *align) {
  static unsigned kind;
  if (!kind) kind = LLVMGetEnumAttributeKindForName("byval", 5);
  LLVMAttributeRef byval = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
  if (!byval) return NULL;
  const struct type_info *t = type_of(f->l, LLVMGetTypeAttributeValue(byval));
  LLVMAttributeRef aligned = call_attribute(call, argument, "align");
  *align = aligned ? (uint32_t)LLVMGetEnumAttributeValue(aligned) : t->align < 8 ? 8 : t->align;
  return t;
}

static void add_slots(struct call *c, uint32_t first, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) *vec_push(&c->args) = (uint16_t)(first + i);
}

/* The callee owns what it gets by value: the caller copies to its stack. */
static uint32_t copy_by_value(struct fn *f, struct call *c, const struct type_info *t, uint32_t align, uint32_t from) {
  if (c->saved == NONE) {
    c->saved = temp_slots(f, 1);
    emit(f, OP_SPSAVE, c->saved, 0, 0);
  }
  uint32_t copy = temp_slots(f, 1);
  emit(f, OP_ALLOCA, copy, 0, 0);
  emit_halves(f, t->size ? (uint32_t)t->size : 1, align);
  if (t->size) emit(f, OP_MEMCPY, copy, from, constant_slot(f, t->size));
  return copy;
}

/* Is the argument in registers? Then `*offset` is where they are saved. */
static bool is_saved(struct saved *s, const struct type_info *t, uint32_t *offset) {
  uint32_t general = t->class == T_POINTER ? 8 : t->class == T_INT ? t->bits <= 64 ? 8 : t->bits <= 128 ? 16 : SAVED_END : 0;
  bool floating = t->class == T_FLOAT || t->class == T_DOUBLE || (t->class == T_VECTOR && t->size <= 16);
  if (general && s->general + general <= GENERAL_END) {
    *offset = s->general, s->general += general;
    return true;
  }
  if (!floating || s->floating == SAVED_END) return false;
  *offset = s->floating, s->floating += 16;
  return true;
}

static void add_fixed(struct fn *f, struct call *c, unsigned i) {
  LLVMValueRef argument = LLVMGetOperand(c->v, i);
  uint32_t align = 0, slot;
  if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMMetadataTypeKind) return;
  slot = use_slot(f, argument);
  const struct type_info *t = byval_type(f, c->v, i, &align);
  if (t) {
    add_slots(c, copy_by_value(f, c, t, align, slot), 1);
    return;
  }
  t = type_of_value(f->l, argument);
  (void)is_saved(&c->saved_area, t, &(uint32_t){0});
  add_slots(c, slot, t->slots);
}

static void place_variadic(struct call *c, struct variadic v, uint64_t size, uint64_t align) {
  if (align >= 16) c->area = (c->area + 15) & ~15u;
  v.offset = c->area;
  c->area += (uint32_t)((size + 7) & ~7ull);
  *vec_push(&c->variadic) = v;
}

static void add_variadic(struct fn *f, struct call *c, unsigned i) {
  LLVMValueRef argument = LLVMGetOperand(c->v, i);
  uint32_t slot = use_slot(f, argument), align = 0;
  const struct type_info *t = byval_type(f, c->v, i, &align);
  if (t) {
    place_variadic(c, (struct variadic){slot, VARIADIC_MEMORY, 0, t->size}, t->size, align);
    return;
  }
  t = type_of_value(f->l, argument);
  if (!t->slots) return;
  bool plain = t->class <= T_DOUBLE && t->slots == 1;
  struct variadic v = {slot, plain ? VARIADIC_SLOT : VARIADIC_LAYOUT, 0, plain ? 0 : type_layout(f->l, t)};
  if (is_saved(&c->saved_area, t, &v.offset))
    *vec_push(&c->variadic) = v;
  else
    place_variadic(c, v, plain ? 8 : t->size, plain ? 8 : t->align);
}

void emit_va_start(struct fn *f, LLVMValueRef list) {
  const unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
  struct saved s = nothing_saved;
  for (unsigned i = 0; i < LLVMCountParams(f->f); i++)
    if (!LLVMGetEnumAttributeAtIndex(f->f, i + 1, byval)) (void)is_saved(&s, type_of_value(f->l, LLVMGetParam(f->f, i)), &(uint32_t){0});
  emit(f, OP_VASTART, use_slot(f, list), s.general, s.floating);
}

/* Unwinding ------------------------------------------------------------ */

uint32_t type_selector(struct lower *l, uint64_t type) { return (uint32_t)*hashmap_at(&l->selectors, type, l->selectors.count + 1, NULL); }

static uint64_t clause_type(struct fn *f, LLVMValueRef type) {
  uint64_t address = 0;
  (void)const_slots(f->l, type, &address);
  return address;
}

static void add_filter(struct fn *f, LLVMValueRef types) {
  struct lower *l = f->l;
  int32_t selector = -(int32_t)++l->filters;
  uint32_t n = type_of_value(l, types)->count;
  for (uint32_t i = 0; i < n; i++)
    *vec_push(&l->image.clauses) = (struct image_clause){clause_type(f, LLVMGetAggregateElement(types, i)), selector, CLAUSE_FILTER};
  if (n == 0) *vec_push(&l->image.clauses) = (struct image_clause){UINT64_MAX, selector, CLAUSE_FILTER};
}

static uint32_t add_pad(struct fn *f, LLVMValueRef invoke, uint32_t restore) {
  struct lower *l = f->l;
  LLVMBasicBlockRef to = LLVMGetUnwindDest(invoke);
  LLVMValueRef landing = LLVMGetFirstInstruction(to);
  while (landing && LLVMGetInstructionOpcode(landing) == LLVMPHI) landing = LLVMGetNextInstruction(landing);
  if (!landing || LLVMGetInstructionOpcode(landing) != LLVMLandingPad) {
    lower_fail(l, invoke, "exception handling other than by landing pads");
    return 0;
  }
  uint32_t first = (uint32_t)l->image.clauses.count;
  for (unsigned i = 0, n = LLVMGetNumClauses(landing); i < n; i++) {
    LLVMValueRef clause = LLVMGetClause(landing, i);
    if (LLVMGetTypeKind(LLVMTypeOf(clause)) == LLVMArrayTypeKind) {
      add_filter(f, clause);
      continue;
    }
    uint64_t type = clause_type(f, clause);
    *vec_push(&l->image.clauses) = (struct image_clause){type, (int32_t)type_selector(l, type), CLAUSE_CATCH};
  }
  uint32_t pad = (uint32_t)l->image.pads.count;
  *vec_push(&l->image.pads) =
      (struct image_pad){.first = first, .count = (uint32_t)l->image.clauses.count - first, .cleanup = LLVMIsCleanup(landing) != 0};
  *vec_push(&f->fixups) = (struct fixup){FIX_PAD, pad, edge_label(f, f->block, fn_block_id(f, to), restore)};
  return pad + 1;
}

/* The call itself ------------------------------------------------------ */

static void write_call(struct fn *f, struct call *c, uint32_t d) {
  uint32_t pad = LLVMGetInstructionOpcode(c->v) == LLVMInvoke ? add_pad(f, c->v, c->saved) : 0;
  bool ignored = c->op == OP_CALLX && !LLVMGetFirstUse(c->v); /* builtins may ask whether anybody looks at what they give */
  emit(f, c->op, d, (uint32_t)c->args.count, ignored ? 0 : c->result->slots);
  emit_halves(f, c->target, pad);
  for (size_t i = 0; i < c->args.count; i += 4) {
    union insn w = {.word = 0};
    for (size_t k = 0; k < 4 && i + k < c->args.count; k++) w.slots[k] = c->args.data[i + k];
    emit_word(f, w.word);
  }
  if (!insn_is_variadic_call(c->op)) return;
  emit_halves(f, c->area, (uint32_t)c->variadic.count);
  for (size_t i = 0; i < c->variadic.count; i++) {
    const struct variadic *v = &c->variadic.data[i];
    emit_word(f, v->slot | (uint64_t)v->kind << 16 | (uint64_t)v->offset << 32);
    emit_word(f, v->detail);
  }
}

static void choose_direct(struct fn *f, struct call *c, LLVMValueRef function, struct callee callee) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  bool variadic = LLVMIsFunctionVarArg(type);
  c->target = callee.index;
  if (callee.kind == CALLEE_EXTERN) {
    c->op = OP_CALLX, c->fixed = UINT32_MAX;
    struct image_extern *e = &f->l->image.externs.data[callee.index];
    if (!e->site) e->site = f->site_set ? f->site : (uint32_t)f->l->image.sites.count;
    return;
  }
  c->op = variadic ? OP_CALLV : OP_CALL;
  c->fixed = variadic ? LLVMCountParamTypes(type) : UINT32_MAX;
  c->result = type_of(f->l, LLVMGetReturnType(type));
}

static void choose_indirect(struct fn *f, struct call *c, LLVMValueRef pointer) {
  LLVMTypeRef type = LLVMGetCalledFunctionType(c->v);
  unsigned fixed = LLVMCountParamTypes(type);
  bool variadic = LLVMIsFunctionVarArg(type) && fixed > 0; /* without any fixed one: a function without prototype */
  c->op = variadic ? OP_CALLIV : OP_CALLI;
  c->fixed = variadic ? fixed : UINT32_MAX;
  c->target = use_slot(f, pointer);
}

/* A direct call whose type is not the callee's (functions without prototype): fit the arguments. */
static void fit_arguments(struct fn *f, struct call *c, LLVMValueRef function) {
  uint32_t want = function_params(f->l, function);
  while (c->args.count < want) add_slots(c, constant_slot(f, 0), 1);
  c->args.count = want;
}

static void emit_plain_call(struct fn *f, LLVMValueRef v, LLVMValueRef callee) {
  const struct type_info *wanted = type_of_value(f->l, v);
  struct call c = {.v = v, .saved = NONE, .result = wanted, .saved_area = nothing_saved, .area = SAVED_END};
  struct callee known = {0};
  bool direct = LLVMGetValueKind(callee) == LLVMFunctionValueKind;
  if (direct) known = function_callee(f->l, callee);
  if (direct)
    choose_direct(f, &c, callee, known);
  else
    choose_indirect(f, &c, callee);
  for (unsigned i = 0, n = LLVMGetNumArgOperands(v); i < n && !f->l->failed; i++)
    if (i < c.fixed)
      add_fixed(f, &c, i);
    else
      add_variadic(f, &c, i);
  if (direct && known.kind == CALLEE_FUNCTION) fit_arguments(f, &c, callee);
  bool fits = c.result->slots == wanted->slots;
  uint32_t d = fits ? (wanted->slots ? def_slot(f, v) : 0) : temp_slots(f, c.result->slots + 1);
  write_call(f, &c, d);
  if (c.saved != NONE) emit(f, OP_SPRESTORE, c.saved, 0, 0);
  if (!fits && wanted->slots) {
    uint32_t to = def_slot(f, v);
    for (uint32_t i = 0; i < wanted->slots; i++)
      if (i < c.result->slots)
        emit_copy(f, to + i, d + i, 1);
      else
        emit_load_constant(f, to + i, 0);
  }
  vec_release(&c.args);
  vec_release(&c.variadic);
}

void emit_extern_call(struct fn *f, const char *name, uint32_t to, uint32_t results, const uint32_t *args, uint32_t n) {
  uint32_t index = extern_index(f->l, name, strlen(name));
  emit(f, OP_CALLX, to, n, results);
  emit_halves(f, index, 0);
  for (uint32_t i = 0; i < n; i += 4) {
    union insn w = {.word = 0};
    for (uint32_t k = 0; k < 4 && i + k < n; k++) w.slots[k] = (uint16_t)args[i + k];
    emit_word(f, w.word);
  }
}

void emit_call(struct fn *f, LLVMValueRef v) {
  LLVMValueRef callee = resolve_alias(f->l, LLVMGetCalledValue(v));
  if (f->l->failed) return;
  LLVMValueKind kind = LLVMGetValueKind(callee);
  if (kind == LLVMInlineAsmValueKind) {
    emit_assembly(f, v, callee);
    return;
  }
  if (kind == LLVMFunctionValueKind) {
    struct callee known = function_callee(f->l, callee);
    if (known.kind == CALLEE_INTRINSIC) {
      emit_intrinsic(f, v, known.index);
      return;
    }
  }
  emit_plain_call(f, v, callee);
}

/* at = *list has it in a register ? its saved registers : what lies behind; and the list goes on. */
static void emit_va_arg_saved(struct fn *f, uint32_t list, uint32_t at, bool floating) {
  uint32_t used = temp_slots(f, 1), is = temp_slots(f, 1), saved = temp_slots(f, 1), behind = temp_slots(f, 1), next = temp_slots(f, 1);
  unsigned field = floating ? 4 : 0, end = floating ? SAVED_END : GENERAL_END, step = floating ? 16 : 8;
  emit(f, OP_LD32, used, list, field);
  emit(f, OP_ULTI, is, used, end);
  emit(f, OP_LD64, saved, list, 16);
  emit(f, OP_ADD64, saved, saved, used);
  emit(f, OP_LD64, behind, list, 8);
  emit(f, OP_SELECT, at, is, saved);
  emit_word(f, behind);
  emit(f, OP_ADDI32, next, used, step);
  emit(f, OP_SELECT, next, is, next);
  emit_word(f, used);
  emit(f, OP_ST32, next, list, field);
  emit(f, OP_ADDI64, next, behind, 8);
  emit(f, OP_SELECT, next, is, behind);
  emit_word(f, next);
  emit(f, OP_ST64, next, list, 8);
}

void emit_va_arg(struct fn *f, LLVMValueRef v) {
  const struct type_info *t = type_of_value(f->l, v);
  uint32_t list = use_slot(f, LLVMGetOperand(v, 0)), at = temp_slots(f, 1), next = temp_slots(f, 1);
  if (is_saved(&(struct saved){0, GENERAL_END}, t, &(uint32_t){0}) && t->size <= 8) {
    emit_va_arg_saved(f, list, at, t->class != T_INT && t->class != T_POINTER);
    emit_load_at(f, def_slot(f, v), t, at, 0);
    return;
  }
  emit(f, OP_LD64, at, list, 8);
  if (t->align >= 16) {
    emit(f, OP_ADDI64, at, at, 15);
    emit(f, OP_AND, at, at, constant_slot(f, ~15ull));
  }
  emit(f, OP_ADD64, next, at, constant_slot(f, (t->size + 7) & ~7ull));
  emit(f, OP_ST64, next, list, 8);
  emit_load_at(f, def_slot(f, v), t, at, 0);
}
