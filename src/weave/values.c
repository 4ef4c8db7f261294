#include "weave/values.h"

#include <stdio.h>

enum { NAME = 80, WIDEST = 8, BITS = 8 };

static LLVMValueRef number(const struct insert *in, uint64_t n) { return LLVMConstInt(in->integer, n, false); }

static LLVMTypeRef bits_type(struct insert *in, uint64_t bits) { return LLVMIntTypeInContext(in->context, (unsigned)bits); }

/* The value as it lies in memory: an integer of `size` bytes. */
static LLVMValueRef as_bytes(struct insert *in, LLVMValueRef value, uint64_t size) {
  LLVMTypeRef type = LLVMTypeOf(value);
  bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  LLVMTypeRef element = vector ? LLVMGetElementType(type) : type;
  if (LLVMGetTypeKind(element) == LLVMPointerTypeKind) {
    value = LLVMBuildPtrToInt(in->builder, value, vector ? LLVMVectorType(in->integer, LLVMGetVectorSize(type)) : in->integer, "");
    type = LLVMTypeOf(value);
  }
  uint64_t bits = LLVMSizeOfTypeInBits(in->data, type);
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) value = LLVMBuildBitCast(in->builder, value, bits_type(in, bits), "");
  return bits == size * BITS ? value : LLVMBuildZExt(in->builder, value, bits_type(in, size * BITS), "");
}

LLVMValueRef values_number(struct insert *in, LLVMValueRef value) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || kind == LLVMScalableVectorTypeKind) return number(in, 0);
  LLVMValueRef whole = as_bytes(in, value, LLVMStoreSizeOfType(in->data, LLVMTypeOf(value)));
  return LLVMBuildIntCast2(in->builder, whole, in->integer, false, "");
}

static LLVMValueRef offset_by(struct insert *in, LLVMValueRef address, uint64_t by) {
  LLVMValueRef offset = number(in, by);
  return by ? LLVMBuildGEP2(in->builder, LLVMInt8TypeInContext(in->context), address, &offset, 1, "") : address;
}

static void insert_piece(struct insert *in, LLVMValueRef address, LLVMValueRef whole, uint64_t at, unsigned size, bool writes,
                         LLVMValueRef only, LLVMValueRef place) {
  const struct weave_hooks *h = in->hooks;
  LLVMValueRef part = at ? LLVMBuildLShr(in->builder, whole, LLVMConstInt(LLVMTypeOf(whole), at * BITS, false), "") : whole;
  LLVMValueRef narrow = LLVMBuildIntCast2(in->builder, part, bits_type(in, size * BITS), false, "");
  LLVMValueRef arguments[4] = {offset_by(in, address, at), LLVMBuildIntCast2(in->builder, narrow, in->integer, false, "")};
  unsigned n = 2;
  char name[NAME];
  if (only) arguments[n++] = LLVMBuildZExt(in->builder, only, in->order, "");
  arguments[n++] = place;
  snprintf(name, sizeof name, "%s%u",
           only     ? (writes ? h->value_if_write : h->value_if_read)
           : writes ? h->value_write
                    : h->value_read,
           size);
  insert_call(in, name, in->nothing, arguments, n);
}

static void insert_parts(struct insert *in, LLVMValueRef address, LLVMValueRef value, unsigned n, bool writes, LLVMValueRef place) {
  LLVMTypeRef type = LLVMTypeOf(value);
  bool structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  uint64_t each = structure ? 0 : LLVMABISizeOfType(in->data, LLVMGetElementType(type));
  for (unsigned i = 0; i < n; i++) {
    uint64_t at = structure ? LLVMOffsetOfElement(in->data, type, i) : i * each;
    values_insert(in, offset_by(in, address, at), LLVMBuildExtractValue(in->builder, value, i, ""), writes, NULL, place);
  }
}

void values_insert(struct insert *in, LLVMValueRef address, LLVMValueRef value, bool writes, LLVMValueRef only, LLVMValueRef place) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind) {
    unsigned n = kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(type) : (unsigned)LLVMGetArrayLength2(type);
    insert_parts(in, address, value, n, writes, place);
    return;
  }
  if (kind == LLVMScalableVectorTypeKind) return;
  uint64_t size = LLVMStoreSizeOfType(in->data, type), at = 0;
  if (size == 0) return;
  LLVMValueRef whole = as_bytes(in, value, size);
  for (unsigned piece = WIDEST; piece > 0; piece /= 2)
    for (; size - at >= piece; at += piece) insert_piece(in, address, whole, at, piece, writes, only, place);
}
