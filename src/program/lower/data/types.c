#include "program/lower/lower.h"

static const struct type_info *add_scalar(struct type_info *t, enum type_class class, uint32_t bits) {
  t->class = class, t->bits = bits, t->slots = class == T_INT && bits > 128 ? (bits + 63) / 64 : bits > 64 ? 2 : 1;
  return t;
}

static uint32_t slots_of_many(uint64_t count, uint32_t each) {
  if (each == NONE) return NONE;
  uint64_t n = count * each;
  return n > 65535 ? NONE : (uint32_t)n;
}

static void fill_struct(struct lower *l, struct type_info *t) {
  t->class = T_STRUCT, t->count = LLVMCountStructElementTypes(t->type);
  for (uint32_t i = 0; i < t->count; i++) (void)type_of(l, LLVMStructGetTypeAtIndex(t->type, i)); /* may add fields of their own */
  t->first_field = (uint32_t)l->fields.count;
  uint64_t slots = 0;
  for (uint32_t i = 0; i < t->count; i++) {
    const struct type_info *member = type_of(l, LLVMStructGetTypeAtIndex(t->type, i));
    *vec_push(&l->fields) = (struct field){member, (uint32_t)slots, LLVMOffsetOfElement(l->layout, t->type, i)};
    slots = member->slots == NONE || slots > 65535 ? 65536 : slots + member->slots;
  }
  t->slots = slots > 65535 ? NONE : (uint32_t)slots;
}

static void fill(struct lower *l, struct type_info *t) {
  switch ((int)LLVMGetTypeKind(t->type)) {
    case LLVMVoidTypeKind:
      t->class = T_VOID;
      return;
    case LLVMIntegerTypeKind: {
      unsigned bits = LLVMGetIntTypeWidth(t->type);
      add_scalar(t, T_INT, bits);
      return;
    }
    case LLVMPointerTypeKind:
      add_scalar(t, T_POINTER, 64);
      return;
    case LLVMFloatTypeKind:
      add_scalar(t, T_FLOAT, 32);
      return;
    case LLVMDoubleTypeKind:
      add_scalar(t, T_DOUBLE, 64);
      return;
    case LLVMX86_FP80TypeKind:
      add_scalar(t, T_X87, 80);
      return;
    case LLVMArrayTypeKind:
      t->class = T_ARRAY, t->element = type_of(l, LLVMGetElementType(t->type));
      t->count = (uint32_t)LLVMGetArrayLength2(t->type), t->slots = slots_of_many(LLVMGetArrayLength2(t->type), t->element->slots);
      return;
    case LLVMVectorTypeKind:
      t->class = T_VECTOR, t->element = type_of(l, LLVMGetElementType(t->type));
      t->count = LLVMGetVectorSize(t->type), t->slots = slots_of_many(t->count, t->element->slots);
      if (t->element->class == T_UNSUPPORTED || t->element->bits > 128 || (t->element->bits % 8 && t->element->bits != 1))
        t->class = T_UNSUPPORTED;
      return;
    case LLVMStructTypeKind:
      fill_struct(l, t);
      return;
    default:
      t->class = T_UNSUPPORTED;
      return;
  }
}

const struct type_info *type_of(struct lower *l, LLVMTypeRef type) {
  uint64_t *known = hashmap_find(&l->types, (uint64_t)(uintptr_t)type);
  if (known) return (const struct type_info *)(uintptr_t)*known;
  struct type_info *t = mem_alloc(sizeof *t);
  *vec_push(&l->type_list) = t;
  t->type = type, t->layout = NONE, t->align = 1;
  if (LLVMGetTypeKind(type) != LLVMVoidTypeKind && LLVMTypeIsSized(type)) {
    t->size = LLVMABISizeOfType(l->layout, type);
    t->store = LLVMStoreSizeOfType(l->layout, type);
    t->align = LLVMABIAlignmentOfType(l->layout, type);
  }
  fill(l, t);
  *hashmap_at(&l->types, (uint64_t)(uintptr_t)type, 0, NULL) = (uint64_t)(uintptr_t)t;
  return t;
}

const struct type_info *type_element(const struct lower *l, const struct type_info *t, uint32_t i, uint32_t *slot, uint64_t *offset) {
  if (t->class == T_STRUCT) {
    const struct field *field = type_field(l, t, i);
    *slot = field->slot, *offset = field->offset;
    return field->type;
  }
  *slot = i * t->element->slots;
  *offset = t->class == T_VECTOR ? i * (uint64_t)(t->element->bits / 8) : i * t->element->size;
  return t->element;
}

static void add_leaves(struct lower *l, const struct type_info *t, uint64_t at) {
  if (t->class == T_VECTOR && t->element->bits == 1) {
    for (uint32_t i = 0; i < t->count; i++) *vec_push(&l->image.leaves) = (struct image_leaf){(uint32_t)(at * 8 + i), LEAF_BIT, 0, {0}};
    return;
  }
  if (t->class == T_VECTOR || t->class == T_ARRAY || t->class == T_STRUCT) {
    for (uint32_t i = 0; i < t->count; i++) {
      uint32_t slot;
      uint64_t offset;
      const struct type_info *element = type_element(l, t, i, &slot, &offset);
      add_leaves(l, element, at + offset);
    }
    return;
  }
  if (t->class == T_INT && t->bits > 128) {
    for (uint64_t i = 0; i < t->store; i += 8)
      *vec_push(&l->image.leaves) = (struct image_leaf){(uint32_t)(at + i), LEAF_INT, (uint8_t)(t->store - i < 8 ? t->store - i : 8), {0}};
    return;
  }
  uint8_t kind = t->slots == 2 ? LEAF_WIDE : LEAF_INT;
  *vec_push(&l->image.leaves) = (struct image_leaf){(uint32_t)at, kind, (uint8_t)((t->bits + 7) / 8), {0}};
}

uint32_t type_layout(struct lower *l, const struct type_info *t) {
  if (t->layout != NONE) return t->layout;
  uint32_t first = (uint32_t)l->image.leaves.count;
  add_leaves(l, t, 0);
  bool aggregate = t->class == T_STRUCT || t->class == T_ARRAY;
  uint32_t layout = (uint32_t)l->image.layouts.count;
  *vec_push(&l->image.layouts) = (struct image_layout){
      .first = first,
      .count = (uint32_t)l->image.leaves.count - first,
      .size = (uint32_t)(aggregate ? t->size : t->store),
      .align = t->align,
  };
  ((struct type_info *)(uintptr_t)t)->layout = layout;
  return layout;
}

bool type_check_value(struct lower *l, const struct type_info *t, LLVMValueRef at) {
  bool good = t->class != T_UNSUPPORTED && t->slots != NONE;
  if (good && (t->class == T_ARRAY || t->class == T_VECTOR) && t->count) good = type_check_value(l, t->element, at);
  for (uint32_t i = 0; good && t->class == T_STRUCT && i < t->count; i++) good = type_check_value(l, type_field(l, t, i)->type, at);
  if (!good && !l->failed) {
    char *text = LLVMPrintTypeToString(t->type);
    lower_fail(l, at, "values of type %s", text);
    LLVMDisposeMessage(text);
  }
  return good;
}
