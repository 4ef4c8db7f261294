/* What debug information says: files, names, types, and which slot holds which local variable.
 *
 * LLVM's C interface has accessors for little of it; the rest is read as operands of metadata nodes, whose positions are those of
 * LLVM's DebugInfoMetadata.h (the same in bitcode since LLVM 5). */
#include <string.h>

#include "program/lower/data/debug_node.h"
#include "program/lower/link.h"
#include "program/lower/lower.h"

uint32_t debug_file(struct lower *l, const char *directory, unsigned nd, const char *file, unsigned nf) {
  uint64_t key = hash_pair((uint64_t)(uintptr_t)file, (uint64_t)(uintptr_t)directory);
  bool is_new;
  uint64_t *known = hashmap_at(&l->files, key, 0, &is_new);
  if (!is_new) return (uint32_t)*known;
  struct text path = {0};
  if (nf && file[0] != '/' && nd) {
    text_append(&path, directory, nd);
    text_putc(&path, '/');
    if (nf > 2 && memcmp(file, "./", 2) == 0) file += 2, nf -= 2;
  }
  text_append(&path, file, nf);
  uint32_t string = image_builder_string(&l->image, text_str(&path), path.count);
  text_release(&path);
  *known = string;
  return string;
}

static uint32_t file_of(struct lower *l, LLVMMetadataRef file) {
  unsigned nd = 0, nf = 0;
  if (!file) return 0;
  const char *directory = LLVMDIFileGetDirectory(file, &nd), *name = LLVMDIFileGetFilename(file, &nf);
  return debug_file(l, directory, nd, name, nf);
}

/* Names ---------------------------------------------------------------- */

/* Appends the scopes around something, outermost first: "bank::account::", and "f." for what is local to a function. */
static void scope_text(struct lower *l, LLVMMetadataRef scope, unsigned depth, struct text *out) {
  struct node n;
  if (!scope || depth == 0 || !node_open(l, scope, &n)) return;
  size_t length;
  const char *name;
  switch (LLVMGetDINodeTag(scope)) {
    case TAG_LEXICAL_BLOCK:
      scope_text(l, node_at(&n, NODE_SCOPE), depth - 1, out);
      return;
    case TAG_NAMESPACE:
    case TAG_STRUCT:
    case TAG_CLASS:
    case TAG_UNION:
    case TAG_SUBPROGRAM:
      scope_text(l, node_at(&n, NODE_SCOPE), depth - 1, out);
      name = node_string(&n, NODE_NAME, &length);
      if (!length) return;
      text_append(out, name, length);
      text_puts(out, LLVMGetDINodeTag(scope) == TAG_SUBPROGRAM ? "." : "::");
      return;
    default:
      return;
  }
}

static uint32_t qualified_name(struct lower *l, LLVMMetadataRef scope, const char *name, size_t n) {
  struct text whole = {0};
  scope_text(l, scope, 16, &whole);
  text_append(&whole, name, n);
  uint32_t string = image_builder_string(&l->image, text_str(&whole), whole.count);
  text_release(&whole);
  return string;
}

void debug_function(struct lower *l, LLVMValueRef function, struct image_function *out) {
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  struct node n;
  size_t length = 0;
  out->name = out->link_name;
  if (link_is_model(function)) out->flags |= FUNCTION_MODEL;
  if (!subprogram || !node_open(l, subprogram, &n)) return;
  const char *name = node_string(&n, NODE_NAME, &length);
  if (length) out->name = qualified_name(l, node_at(&n, NODE_SCOPE), name, length);
  out->file = file_of(l, LLVMDIScopeGetFile(subprogram));
  out->line = LLVMDISubprogramGetLine(subprogram);
}

/* The DIGlobalVariable of a variable, or NULL; also tells whether a model brought it. */
static LLVMMetadataRef global_node(struct lower *l, LLVMValueRef variable, bool *model) {
  size_t n;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(variable, &n);
  unsigned dbg = LLVMGetMDKindIDInContext(l->context, "dbg", 3);
  unsigned mark = LLVMGetMDKindIDInContext(l->context, LINK_MODEL_MARK, sizeof LINK_MODEL_MARK - 1);
  LLVMMetadataRef found = NULL;
  *model = false;
  for (unsigned i = 0; i < n; i++) {
    unsigned kind = LLVMValueMetadataEntriesGetKind(entries, i);
    if (kind == mark) *model = true;
    if (kind == dbg && !found) found = LLVMDIGlobalVariableExpressionGetVariable(LLVMValueMetadataEntriesGetMetadata(entries, i));
  }
  LLVMDisposeValueMetadataEntries(entries);
  return found;
}

void debug_global(struct lower *l, LLVMValueRef variable, struct image_global *out) {
  bool model;
  LLVMMetadataRef node = global_node(l, variable, &model);
  struct node n;
  size_t length = 0;
  if (model) out->flags |= GLOBAL_MODEL;
  if (!node || !node_open(l, node, &n)) return;
  const char *name = node_string(&n, VARIABLE_NAME, &length);
  if (length) out->name = qualified_name(l, node_at(&n, VARIABLE_SCOPE), name, length);
  out->file = file_of(l, LLVMDIVariableGetFile(node));
  out->line = LLVMDIVariableGetLine(node);
  out->type = debug_type(l, node_at(&n, VARIABLE_TYPE));
}

/* Locals --------------------------------------------------------------- */

/* Is the expression empty: is the variable just the value (or what lies at the address)? */
static bool is_plain_expression(struct lower *l, LLVMValueRef expression) {
  bool is_new;
  uint64_t *known = hashmap_at(&l->expressions, (uint64_t)(uintptr_t)LLVMValueAsMetadata(expression), 0, &is_new);
  if (is_new) {
    char *text = LLVMPrintValueToString(expression);
    *known = strstr(text, "DIExpression()") != NULL;
    LLVMDisposeMessage(text);
  }
  return *known;
}

/* The value that a debugging intrinsic's first operand wraps, or NULL. */
static LLVMValueRef wrapped_value(LLVMValueRef operand) {
  LLVMMetadataRef node = LLVMValueAsMetadata(operand);
  LLVMMetadataKind kind = LLVMGetMetadataKind(node);
  LLVMValueRef value = NULL;
  if (kind == LLVMLocalAsMetadataMetadataKind || kind == LLVMConstantAsMetadataMetadataKind) LLVMGetMDNodeOperands(operand, &value);
  return value;
}

static bool is_dbg(LLVMValueRef v, bool *declare) {
  static unsigned value_id, declare_id;
  if (!value_id) value_id = LLVMLookupIntrinsicID("llvm.dbg.value", 14), declare_id = LLVMLookupIntrinsicID("llvm.dbg.declare", 16);
  LLVMValueRef callee = LLVMGetCalledValue(v);
  if (LLVMGetValueKind(callee) != LLVMFunctionValueKind) return false;
  unsigned id = LLVMGetIntrinsicID(callee);
  *declare = id == declare_id;
  return id == value_id || id == declare_id;
}

/* One variable has one open entry at a time; what closes it is the variable's next value, or the end of the block: which value flows
 * on from there is not followed. */
static void open_local(struct fn *f, struct local_debug debug, uint64_t key, uint32_t slot, bool in_memory) {
  struct lower *l = f->l;
  struct node n;
  size_t length = 0;
  if (!node_open(l, debug.variable, &n)) return;
  const char *name = node_string(&n, VARIABLE_NAME, &length);
  *vec_push(&f->local_keys) = key;
  *vec_push(&f->local_debug) = debug;
  *vec_push(&f->locals) = (struct image_local){
      .function = f->index,
      .name = image_builder_string(&l->image, name, length),
      .type = debug_type(l, node_at(&n, VARIABLE_TYPE)),
      .line = LLVMDIVariableGetLine(debug.variable),
      .slot = slot,
      .in_memory = in_memory,
      .from = (uint32_t)f->code.count,
      .to = NONE,
  };
}

void debug_local(struct fn *f, LLVMValueRef v, LLVMOpcode op) {
  bool declare;
  if (op != LLVMCall || f->duplicating || !is_dbg(v, &declare)) return;
  LLVMMetadataRef variable = LLVMValueAsMetadata(LLVMGetOperand(v, 1));
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(v);
  uint64_t key = hash_pair((uint64_t)(uintptr_t)variable, location ? (uint64_t)(uintptr_t)LLVMDILocationGetInlinedAt(location) : 0);
  uint64_t *last = hashmap_at(&f->local_last, key, 0, NULL); /* low half: 1 + the latest entry; high half: how often it got a value */
  uint32_t previous = (uint32_t)*last;
  if (previous && f->locals.data[previous - 1].to == NONE) f->locals.data[previous - 1].to = (uint32_t)f->code.count;
  *last += 1ull << 32;
  LLVMValueRef value = wrapped_value(LLVMGetOperand(v, 0));
  uint32_t id = value ? fn_id(f, value) : NONE;
  if (id == NONE || !is_plain_expression(f->l, LLVMGetOperand(v, 2))) return;
  const struct value *x = &f->values.data[id];
  if (x->how == HOW_FOLD || x->how == HOW_NONE) return;
  open_local(f, (struct local_debug){variable, location}, key, use_slot(f, value), declare);
  *last = (*last & ~0xffffffffull) | (uint32_t)f->locals.count;
}

void debug_block_end(struct fn *f) {
  for (; f->local_block < f->locals.count; f->local_block++) {
    struct image_local *x = &f->locals.data[f->local_block];
    bool single = *hashmap_find(&f->local_last, f->local_keys.data[f->local_block]) >> 32 == 1;
    if (x->to == NONE && !x->in_memory && !single) x->to = (uint32_t)f->code.count;
  }
}

enum { SLOT_UNKNOWN, SLOT_MIXED, SLOT_DONE, SLOT_FIRST };

/* A variable whose values all live in one slot (a loop counter, usually) is there from its first value to the function's end. */
static void join_locals(struct fn *f) {
  for (size_t i = 0; i < f->locals.count; i++) *hashmap_find(&f->local_last, f->local_keys.data[i]) = SLOT_UNKNOWN;
  for (size_t i = 0; i < f->locals.count; i++) {
    uint64_t *slot = hashmap_find(&f->local_last, f->local_keys.data[i]), here = f->locals.data[i].slot + SLOT_FIRST;
    *slot = *slot == SLOT_UNKNOWN || *slot == here ? here : SLOT_MIXED;
  }
  for (size_t i = 0; i < f->locals.count; i++) {
    uint64_t *slot = hashmap_find(&f->local_last, f->local_keys.data[i]);
    struct image_local *x = &f->locals.data[i];
    if (*slot == SLOT_MIXED) continue;
    x->to = *slot == SLOT_DONE ? x->from : (uint32_t)f->code.count;
    *slot = SLOT_DONE;
  }
}

void debug_locals_end(struct fn *f, uint32_t base) {
  join_locals(f);
  for (size_t i = 0; i < f->locals.count; i++) {
    struct image_local x = f->locals.data[i];
    if (x.to == NONE) x.to = (uint32_t)f->code.count;
    x.from += base, x.to += base;
    if (x.from >= x.to || x.slot >= CONSTANT_BASE) continue;
    *vec_push(&f->l->image.locals) = x;
    *vec_push(&f->l->local_debug) = f->local_debug.data[i];
  }
}
