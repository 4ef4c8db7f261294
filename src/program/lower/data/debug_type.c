/* Types of variables, from debug information. */
#include <string.h>

#include "program/lower/data/debug_node.h"
#include "program/lower/lower.h"

bool node_open(struct lower *l, LLVMMetadataRef metadata, struct node *out) {
  *out = (struct node){0};
  if (!metadata || LLVMGetMetadataKind(metadata) < LLVMMDTupleMetadataKind) return false;
  LLVMValueRef v = LLVMMetadataAsValue(l->context, metadata);
  unsigned n = LLVMGetMDNodeNumOperands(v);
  if (n <= NODE_OPERANDS) {
    LLVMGetMDNodeOperands(v, out->operands);
    return true;
  }
  VEC(LLVMValueRef) all = {0};
  LLVMGetMDNodeOperands(v, vec_push_n(&all, n));
  memcpy(out->operands, all.data, sizeof out->operands);
  vec_release(&all);
  return true;
}

LLVMMetadataRef node_at(const struct node *n, unsigned i) {
  LLVMValueRef v = n->operands[i];
  return v && LLVMGetValueKind(v) == LLVMMetadataAsValueValueKind ? LLVMValueAsMetadata(v) : NULL;
}

const char *node_string(const struct node *n, unsigned i, size_t *length) {
  unsigned count = 0;
  *length = 0;
  if (!n->operands[i] || !LLVMIsAMDString(n->operands[i])) return "";
  const char *s = LLVMGetMDString(n->operands[i], &count);
  *length = count;
  return s;
}

static bool contains(const char *s, size_t n, const char *part) { return memmem(s, n, part, strlen(part)) != NULL; }

/* The encoding has no accessor, but C and C++ have few names for their basic types. */
static uint32_t basic_kind(const char *name, size_t n) {
  if (contains(name, n, "ool")) return TYPE_BOOL;
  if (contains(name, n, "char")) return TYPE_CHAR;
  if (contains(name, n, "complex")) return TYPE_UNKNOWN;
  if (contains(name, n, "float") || contains(name, n, "double") || contains(name, n, "Float")) return TYPE_FLOAT;
  if (contains(name, n, "nullptr")) return TYPE_POINTER;
  return contains(name, n, "unsigned") ? TYPE_UNSIGNED : TYPE_SIGNED;
}

static uint64_t bytes_of(LLVMMetadataRef type) { return LLVMDITypeGetSizeInBits(type) / 8; }

struct member_list {
  VEC(struct image_member) members;
};

static void add_member(struct lower *l, LLVMMetadataRef member, struct member_list *out) {
  struct node n;
  unsigned tag = LLVMGetDINodeTag(member);
  if ((tag != TAG_MEMBER && tag != TAG_INHERITANCE) || (LLVMDITypeGetFlags(member) & LLVMDIFlagStaticMember) || !node_open(l, member, &n))
    return;
  size_t length = 0;
  const char *name = tag == TAG_MEMBER ? node_string(&n, NODE_NAME, &length) : "";
  uint32_t type = debug_type(l, node_at(&n, NODE_BASE));
  uint32_t string = image_builder_string(&l->image, name, length);
  *vec_push(&out->members) = (struct image_member){.name = string, .type = type, .offset = LLVMDITypeGetOffsetInBits(member) / 8};
}

static void fill_members(struct lower *l, LLVMMetadataRef elements, uint32_t index) {
  if (!elements || LLVMGetMetadataKind(elements) != LLVMMDTupleMetadataKind) return;
  LLVMValueRef list = LLVMMetadataAsValue(l->context, elements);
  unsigned n = LLVMGetMDNodeNumOperands(list);
  struct member_list found = {0};
  VEC(LLVMValueRef) all = {0};
  if (n) LLVMGetMDNodeOperands(list, vec_push_n(&all, n));
  for (unsigned i = 0; i < n; i++)
    if (all.data[i] && LLVMGetValueKind(all.data[i]) == LLVMMetadataAsValueValueKind)
      add_member(l, LLVMValueAsMetadata(all.data[i]), &found);
  struct image_type *t = &l->image.types.data[index];
  t->first = (uint32_t)l->image.members.count, t->nmembers = (uint32_t)found.members.count;
  for (size_t i = 0; i < found.members.count; i++) *vec_push(&l->image.members) = found.members.data[i];
  vec_release(&all);
  vec_release(&found.members);
}

/* Elements in one dimension; 0 where that is not known at compile time. */
static uint32_t subrange_count(struct lower *l, LLVMValueRef subrange) {
  struct node n;
  uint64_t count = 0;
  if (!subrange || LLVMGetValueKind(subrange) != LLVMMetadataAsValueValueKind || !node_open(l, LLVMValueAsMetadata(subrange), &n)) return 0;
  if (n.operands[0]) (void)const_integer(n.operands[0], &count);
  return count > UINT32_MAX ? 0 : (uint32_t)count;
}

static uint32_t new_type(struct lower *l, struct image_type t) {
  *vec_push(&l->image.types) = t;
  return (uint32_t)l->image.types.count - 1;
}

/* A type for each dimension behind the first, from the innermost outwards; the first is at `index`. */
static void fill_array(struct lower *l, const struct node *n, uint32_t index) {
  LLVMMetadataRef elements = node_at(n, NODE_ELEMENTS);
  uint32_t element = debug_type(l, node_at(n, NODE_BASE));
  struct node dimensions;
  if (!elements || LLVMGetMetadataKind(elements) != LLVMMDTupleMetadataKind || !node_open(l, elements, &dimensions)) return;
  unsigned count = 0;
  while (count < NODE_OPERANDS && dimensions.operands[count]) count++;
  for (unsigned i = count; i-- > 1;) {
    uint32_t many = subrange_count(l, dimensions.operands[i]);
    element = new_type(
        l, (struct image_type){.kind = TYPE_ARRAY, .element = element, .count = many, .size = many * l->image.types.data[element].size});
  }
  struct image_type *t = &l->image.types.data[index];
  t->element = element, t->count = count ? subrange_count(l, dimensions.operands[0]) : 0;
}

/* long: one short case for each kind of type */
static void fill_type(struct lower *l, LLVMMetadataRef type, const struct node *n, unsigned tag, uint32_t index) {
  size_t length = 0;
  const char *name = LLVMDITypeGetName(type, &length);
  uint32_t string = image_builder_string(&l->image, name, length), element = 0;
  struct image_type t = {.name = string, .size = bytes_of(type)};
  switch (tag) {
    case TAG_BASE:
      t.kind = basic_kind(name, length);
      break;
    case TAG_ENUM:
      t.kind = TYPE_ENUM;
      break;
    case TAG_ARRAY:
      t.kind = TYPE_ARRAY;
      break;
    case TAG_UNION:
      t.kind = TYPE_UNION;
      break;
    case TAG_STRUCT:
    case TAG_CLASS:
      t.kind = TYPE_STRUCT;
      break;
    case TAG_POINTER:
    case TAG_REFERENCE:
    case TAG_RVALUE_REFERENCE:
      t.kind = TYPE_POINTER, t.size = 8;
      element = debug_type(l, node_at(n, NODE_BASE));
      break;
    case TAG_MEMBER_POINTER:
      t.kind = TYPE_POINTER;
      break;
    default:
      break;
  }
  t.element = element;
  l->image.types.data[index] = t;
  if (tag == TAG_ARRAY) fill_array(l, n, index);
  if (tag == TAG_STRUCT || tag == TAG_CLASS || tag == TAG_UNION) fill_members(l, node_at(n, NODE_ELEMENTS), index);
}

uint32_t debug_type(struct lower *l, LLVMMetadataRef type) {
  struct node n;
  for (unsigned i = 0; i < 64; i++) {
    if (!type || !node_open(l, type, &n)) return 0;
    unsigned tag = LLVMGetDINodeTag(type);
    bool same = tag == TAG_TYPEDEF || tag == TAG_CONST || tag == TAG_VOLATILE || tag == TAG_RESTRICT || tag == TAG_ATOMIC;
    if (!same) break;
    type = node_at(&n, NODE_BASE);
  }
  bool is_new;
  uint64_t *known = hashmap_at(&l->debug_types, (uint64_t)(uintptr_t)type, l->image.types.count, &is_new);
  if (!is_new) return (uint32_t)*known;
  uint32_t index = new_type(l, (struct image_type){0}); /* before its members: they may point back */
  fill_type(l, type, &n, LLVMGetDINodeTag(type), index);
  return index;
}
