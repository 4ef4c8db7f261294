/* Constants and constant expressions, folded to the 64-bit slots they live in. */
#include <stdlib.h>
#include <string.h>

#include "program/layout.h"
#include "program/lower/lower.h"

static uint64_t mask(uint32_t bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

bool const_integer(LLVMValueRef c, uint64_t *out) {
  LLVMValueKind kind = LLVMGetValueKind(c);
  if (kind == LLVMConstantPointerNullValueKind) {
    *out = 0;
    return true;
  }
  if (kind != LLVMConstantIntValueKind || LLVMGetIntTypeWidth(LLVMTypeOf(c)) > 64) return false;
  *out = LLVMConstIntGetZExtValue(c);
  return true;
}

/* Wide integers have no accessor: their printed form is "iN decimal". */
static void wide_integer(LLVMValueRef c, uint32_t bits, uint64_t *out) {
  char *text = LLVMPrintValueToString(c);
  const char *p = strchr(text, ' ');
  uint32_t n = (bits + 63) / 64;
  bool negative = p && p[1] == '-';
  memset(out, 0, n * sizeof *out);
  for (p = p ? p + 1 : ""; *p; p++) {
    unsigned __int128 carry = *p >= '0' && *p <= '9' ? (unsigned)(*p - '0') : 0;
    for (uint32_t i = 0; i < n && *p != '-'; i++) carry += (unsigned __int128)out[i] * 10, out[i] = (uint64_t)carry, carry >>= 64;
  }
  for (uint32_t i = 0, borrow = 1; i < n && negative; i++) out[i] = ~out[i] + borrow, borrow = borrow && out[i] == 0;
  if (bits % 64) out[n - 1] &= mask(bits % 64);
  LLVMDisposeMessage(text);
}

static void floating(struct lower *l, LLVMValueRef c, const struct type_info *t, uint64_t *out) {
  LLVMValueRef bits = LLVMConstBitCast(c, LLVMIntTypeInContext(l->context, t->bits));
  if (t->bits > 64)
    wide_integer(bits, t->bits, out);
  else
    out[0] = LLVMConstIntGetZExtValue(bits);
}

LLVMValueRef resolve_alias(struct lower *l, LLVMValueRef v) {
  for (unsigned i = 0; i < 64 && LLVMGetValueKind(v) == LLVMGlobalAliasValueKind; i++) v = LLVMAliasGetAliasee(v);
  if (LLVMGetValueKind(v) == LLVMGlobalIFuncValueKind) {
    size_t n;
    lower_fail(l, NULL, "ifunc '%s'", LLVMGetValueName2(v, &n));
  }
  return v;
}

uint32_t extern_index(struct lower *l, const char *name, size_t n) {
  uint32_t string = image_builder_string(&l->image, name, n);
  for (uint32_t i = 0; i < l->image.externs.count; i++)
    if (l->image.externs.data[i].name == string) return i;
  *vec_push(&l->image.externs) = (struct image_extern){string, 0};
  return (uint32_t)l->image.externs.count - 1;
}

struct callee function_callee(struct lower *l, LLVMValueRef function) {
  uint64_t *known = hashmap_find(&l->callees, (uint64_t)(uintptr_t)function);
  return known ? (struct callee){(enum callee_kind)(*known & 3), (uint32_t)(*known >> 2)} : (struct callee){CALLEE_EXTERN, 0};
}

uint64_t function_address(struct lower *l, LLVMValueRef function) {
  struct callee c = function_callee(l, function);
  if (c.kind == CALLEE_FUNCTION) return text_address(c.index);
  if (c.kind == CALLEE_INTRINSIC || LLVMGetLinkage(function) == LLVMExternalWeakLinkage) return 0;
  return text_address((uint32_t)l->functions.count + c.index);
}

static bool global_address(struct lower *l, LLVMValueRef v, uint64_t *out) {
  uint64_t *known = hashmap_find(&l->globals, (uint64_t)(uintptr_t)v);
  size_t n;
  if (LLVMIsThreadLocal(v))
    lower_fail(l, NULL, "the address of thread-local '%s' in a constant", LLVMGetValueName2(v, &n));
  else
    *out = known ? *known : 0; /* weak and not there, or given by the linker */
  return !l->failed;
}

static bool block_address(struct lower *l, LLVMValueRef c, uint64_t *out) {
  uint64_t *known = hashmap_find(&l->labels, (uint64_t)(uintptr_t)LLVMGetBlockAddressBasicBlock(c));
  *out = known ? LABEL_BASE + *known : 1; /* 1: the block was unreachable, so nobody jumps there */
  return l->labels_known;
}

bool gep_decompose(struct lower *l, LLVMValueRef gep, int64_t *offset, LLVMValueRef *index, int64_t *scale) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  unsigned n = (unsigned)LLVMGetNumOperands(gep);
  *offset = 0, *index = NULL, *scale = 0;
  for (unsigned i = 1; i < n; i++) {
    LLVMValueRef operand = LLVMGetOperand(gep, i);
    uint64_t k;
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned member = (unsigned)LLVMConstIntGetZExtValue(operand);
      *offset += (int64_t)LLVMOffsetOfElement(l->layout, type, member);
      type = LLVMStructGetTypeAtIndex(type, member);
      continue;
    }
    if (i > 1) type = LLVMGetElementType(type);
    int64_t size = (int64_t)type_of(l, type)->size;
    if (const_integer(operand, &k)) {
      *offset += LLVMConstIntGetSExtValue(operand) * size;
      continue;
    }
    if (*index) return false;
    *index = operand, *scale = size;
  }
  return true;
}

static bool const_gep(struct lower *l, LLVMValueRef c, uint64_t *out) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(c);
  uint64_t address;
  bool known = const_slots(l, LLVMGetOperand(c, 0), &address);
  for (unsigned i = 1, n = (unsigned)LLVMGetNumOperands(c); i < n && !l->failed; i++) {
    LLVMValueRef operand = LLVMGetOperand(c, i);
    uint64_t k = 0;
    known &= const_slots(l, operand, &k);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      address += LLVMOffsetOfElement(l->layout, type, (unsigned)k);
      type = LLVMStructGetTypeAtIndex(type, (unsigned)k);
      continue;
    }
    if (i > 1) type = LLVMGetElementType(type);
    uint32_t bits = type_of_value(l, operand)->bits;
    if (bits < 64 && k >> (bits - 1) & 1) k |= ~mask(bits);
    address += k * type_of(l, type)->size;
  }
  *out = address;
  return known;
}

static bool const_binary(struct lower *l, LLVMValueRef c, LLVMOpcode op, const struct type_info *t, uint64_t *out) {
  uint64_t a[2], b[2];
  if (t->slots != 1) {
    lower_fail(l, c, "a constant expression of more than 64 bits");
    return false;
  }
  bool known = const_slots(l, LLVMGetOperand(c, 0), a);
  known &= const_slots(l, LLVMGetOperand(c, 1), b);
  uint64_t r = op == LLVMAdd ? a[0] + b[0] : op == LLVMSub ? a[0] - b[0] : op == LLVMMul ? a[0] * b[0] : op == LLVMXor ? a[0] ^ b[0] : 0;
  out[0] = r & mask(t->bits);
  return known;
}

static bool const_lanes(struct lower *l, LLVMValueRef c, const struct type_info *t, uint64_t *out) {
  bool known = true;
  for (uint32_t i = 0; i < t->count && !l->failed; i++) {
    LLVMValueRef element = LLVMGetAggregateElement(c, i);
    if (!element) {
      lower_fail(l, c, "a vector constant expression");
      return false;
    }
    uint32_t slot;
    uint64_t offset;
    type_element(l, t, i, &slot, &offset);
    known &= const_slots(l, element, out + slot);
  }
  return known;
}

static bool const_expression(struct lower *l, LLVMValueRef c, const struct type_info *t, uint64_t *out) {
  LLVMOpcode op = LLVMGetConstOpcode(c);
  bool known;
  switch ((int)op) {
    case LLVMGetElementPtr:
      if (t->class == T_VECTOR) break;
      return const_gep(l, c, out);
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMTrunc: {
      const struct type_info *from = type_of_value(l, LLVMGetOperand(c, 0));
      if (t->class == T_VECTOR || from->class == T_VECTOR || from->slots > 2 || (op == LLVMBitCast && from->bits != t->bits)) break;
      uint64_t value[2] = {0};
      known = const_slots(l, LLVMGetOperand(c, 0), value);
      out[0] = value[0] & mask(t->bits);
      if (t->slots == 2) out[1] = value[1] & mask(t->bits - 64);
      return known;
    }
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMXor:
      return const_binary(l, c, op, t, out);
    default:
      break;
  }
  char *text = LLVMPrintValueToString(c);
  lower_fail(l, NULL, "the constant expression %.200s", text);
  LLVMDisposeMessage(text);
  return false;
}

bool const_slots(struct lower *l, LLVMValueRef c, uint64_t *out) {
  const struct type_info *t = type_of_value(l, c);
  if (!type_check_value(l, t, c)) return false;
  switch ((int)LLVMGetValueKind(c)) {
    case LLVMUndefValueValueKind:
    case LLVMPoisonValueValueKind:
    case LLVMConstantPointerNullValueKind:
    case LLVMConstantTokenNoneValueKind:
    case LLVMConstantAggregateZeroValueKind:
      memset(out, 0, t->slots * sizeof *out);
      return true;
    case LLVMConstantIntValueKind:
      if (t->bits > 64)
        wide_integer(c, t->bits, out);
      else
        out[0] = LLVMConstIntGetZExtValue(c);
      return true;
    case LLVMConstantFPValueKind:
      floating(l, c, t, out);
      return true;
    case LLVMConstantArrayValueKind:
    case LLVMConstantStructValueKind:
    case LLVMConstantVectorValueKind:
    case LLVMConstantDataArrayValueKind:
    case LLVMConstantDataVectorValueKind:
      return const_lanes(l, c, t, out);
    case LLVMFunctionValueKind:
      out[0] = function_address(l, c);
      return true;
    case LLVMGlobalVariableValueKind:
      return global_address(l, c, out);
    case LLVMGlobalAliasValueKind:
    case LLVMGlobalIFuncValueKind: {
      LLVMValueRef target = resolve_alias(l, c);
      return !l->failed && const_slots(l, target, out);
    }
    case LLVMBlockAddressValueKind:
      return block_address(l, c, out);
    case LLVMConstantExprValueKind:
      return const_expression(l, c, t, out);
    default:
      break;
  }
  char *text = LLVMPrintValueToString(c);
  lower_fail(l, NULL, "the constant %.200s", text);
  LLVMDisposeMessage(text);
  return false;
}

bool const_thread_local(struct lower *l, LLVMValueRef c, uint64_t *offset) {
  LLVMValueKind kind = LLVMGetValueKind(c);
  if (kind == LLVMGlobalVariableValueKind) {
    if (!LLVMIsThreadLocal(c)) return false;
    uint64_t *known = hashmap_find(&l->globals, (uint64_t)(uintptr_t)c);
    size_t n;
    if (!known) lower_fail(l, NULL, "undefined thread-local variable '%s'", LLVMGetValueName2(c, &n));
    *offset = known ? *known : 0;
    return true;
  }
  if (kind == LLVMGlobalAliasValueKind) return const_thread_local(l, LLVMAliasGetAliasee(c), offset);
  if (kind != LLVMConstantExprValueKind) return false;
  LLVMOpcode op = LLVMGetConstOpcode(c);
  if (op == LLVMBitCast || op == LLVMPtrToInt || op == LLVMAddrSpaceCast) return const_thread_local(l, LLVMGetOperand(c, 0), offset);
  if (op != LLVMGetElementPtr || !const_thread_local(l, LLVMGetOperand(c, 0), offset)) return false;
  int64_t bytes, scale;
  LLVMValueRef index;
  if (!gep_decompose(l, c, &bytes, &index, &scale) || index) lower_fail(l, c, "a computed index in the address of a thread-local");
  *offset += (uint64_t)bytes;
  return true;
}
