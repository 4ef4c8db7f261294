/* Where functions and variables of the module are, and the bytes that variables begin with. */
#include <stdlib.h>
#include <string.h>

#include "program/layout.h"
#include "program/lower/lower.h"

#define REDZONE 16 /* bytes at least behind each variable that belong to nobody */

static bool name_is(LLVMValueRef v, const char *name) {
  size_t n;
  const char *s = LLVMGetValueName2(v, &n);
  return n == strlen(name) && memcmp(s, name, n) == 0;
}

static void remember(struct hashmap *m, LLVMValueRef v, uint64_t value) { (void)hashmap_at(m, (uint64_t)(uintptr_t)v, value, NULL); }

static void place_function(struct lower *l, LLVMValueRef v) {
  size_t n;
  const char *name = LLVMGetValueName2(v, &n);
  if (!LLVMIsDeclaration(v)) {
    remember(&l->callees, v, CALLEE_FUNCTION | (uint64_t)l->functions.count << 2);
    *vec_push(&l->functions) = v;
    struct image_function out = {.link_name = image_builder_string(&l->image, name, n)};
    debug_function(l, v, &out);
    if (n == 4 && memcmp(name, "main", 4) == 0) l->image.main = (uint32_t)l->image.functions.count;
    *vec_push(&l->image.functions) = out;
  } else if (n > 5 && memcmp(name, "llvm.", 5) == 0) {
    remember(&l->callees, v, CALLEE_INTRINSIC | (uint64_t)intrinsic_row(name, n) << 2);
  } else {
    remember(&l->callees, v, CALLEE_EXTERN | (uint64_t)extern_index(l, name, n) << 2);
  }
}

/* Not variables of the program: lists for the compiler, annotations. */
static bool is_bookkeeping(LLVMValueRef v) {
  const char *section = LLVMGetSection(v);
  return LLVMGetLinkage(v) == LLVMAppendingLinkage || (section && strcmp(section, "llvm.metadata") == 0) || name_is(v, "llvm.used") ||
         name_is(v, "llvm.compiler.used");
}

static uint64_t align_up(uint64_t x, uint64_t align) { return (x + align - 1) / align * align; }

static void place_variable(struct lower *l, LLVMValueRef v, uint64_t *next) {
  const struct type_info *t = type_of(l, LLVMGlobalGetValueType(v));
  uint64_t align = LLVMGetAlignment(v);
  if (align < t->align) align = t->align;
  *next = align_up(*next, align);
  remember(&l->globals, v, *next);
  size_t n;
  const char *name = LLVMGetValueName2(v, &n);
  struct image_global out = {.address = *next, .size = t->size, .name = image_builder_string(&l->image, name, n), .align = (uint32_t)align};
  if (LLVMIsGlobalConstant(v)) out.flags |= GLOBAL_CONST;
  if (LLVMIsThreadLocal(v)) out.flags |= GLOBAL_TLS;
  debug_global(l, v, &out);
  if (LLVMIsThreadLocal(v) && align > l->image.tls_align) l->image.tls_align = (uint32_t)align;
  *vec_push(&l->image.globals) = out;
  *vec_push(&l->variables) = v;
  *next += t->size + REDZONE;
}

/* Variables that the C start-up files bring along; only their address is ever used. */
static bool is_given_by_linker(LLVMValueRef v) { return name_is(v, "__dso_handle"); }

/* Nobody defines it. It gets an address, so that the program can run as long as it does not come to need what lies there. (Thread-locals do
 * not: computing their address is refused.) */
static void place_missing(struct lower *l, LLVMValueRef v, uint64_t *next) {
  if (!LLVMIsDeclaration(v) || !LLVMGetFirstUse(v) || LLVMIsThreadLocal(v) || LLVMGetLinkage(v) == LLVMExternalWeakLinkage) return;
  if (is_given_by_linker(v) || is_bookkeeping(v)) return;
  place_variable(l, v, next);
  vec_last(&l->image.globals).flags |= GLOBAL_MISSING;
}

/* Those that begin with zeros come last: their bytes need not be in the image. */
static uint64_t place_variables(struct lower *l, bool thread_local_ones, uint64_t next) {
  for (unsigned zero = 0; zero < 2; zero++)
    for (LLVMValueRef v = LLVMGetFirstGlobal(l->module); v; v = LLVMGetNextGlobal(v)) {
      LLVMValueRef initial = LLVMGetInitializer(v);
      if (!initial || is_bookkeeping(v) || (LLVMIsThreadLocal(v) != 0) != thread_local_ones || (LLVMIsNull(initial) != 0) != (zero != 0))
        continue;
      place_variable(l, v, &next);
    }
  return next;
}

void globals_place(struct lower *l) {
  for (LLVMValueRef v = LLVMGetFirstFunction(l->module); v; v = LLVMGetNextFunction(v)) place_function(l, v);
  l->image.tls_size = align_up(place_variables(l, true, 0), 16);
  uint64_t end = place_variables(l, false, GLOBALS_BASE);
  for (LLVMValueRef v = LLVMGetFirstGlobal(l->module); v; v = LLVMGetNextGlobal(v)) place_missing(l, v, &end);
  end = align_up(end, 16);
  l->image.data_size = end - GLOBALS_BASE;
  if (l->image.data_size > GLOBALS_SIZE || l->image.tls_size > REGION_STACK_SIZE / 2)
    lower_fail(l, NULL, "so many bytes of global variables (%llu)", (unsigned long long)(l->image.data_size + l->image.tls_size));
}

/* Initial bytes -------------------------------------------------------- */

static void put_slots(struct lower *l, LLVMValueRef c, const struct type_info *t, uint8_t *to) {
  VEC(uint64_t) words = {0};
  if (t->slots == NONE || t->slots == 0) return;
  memset(vec_push_n(&words, t->slots), 0, t->slots * sizeof *words.data);
  (void)const_slots(l, c, words.data);
  uint32_t index = type_layout(l, t);
  const struct image_layout *layout = &l->image.layouts.data[index];
  for (uint32_t i = 0, s = 0; i < layout->count && !l->failed; i++) {
    const struct image_leaf *leaf = &l->image.leaves.data[layout->first + i];
    if (leaf->kind == LEAF_BIT)
      to[leaf->offset / 8] |= (uint8_t)((words.data[s] & 1) << leaf->offset % 8);
    else
      memcpy(to + leaf->offset, &words.data[s], leaf->bytes);
    s += leaf->kind == LEAF_WIDE ? 2 : 1;
  }
  vec_release(&words);
}

static void put_constant(struct lower *l, LLVMValueRef c, uint8_t *to) {
  if (l->failed) return;
  const struct type_info *t = type_of_value(l, c);
  switch ((int)LLVMGetValueKind(c)) {
    case LLVMConstantAggregateZeroValueKind:
    case LLVMConstantPointerNullValueKind:
    case LLVMUndefValueValueKind:
    case LLVMPoisonValueValueKind:
      return;
    case LLVMConstantDataArrayValueKind: {
      size_t n;
      const char *bytes = LLVMGetAsString(c, &n);
      memcpy(to, bytes, n < t->size ? n : t->size);
      return;
    }
    case LLVMConstantArrayValueKind:
    case LLVMConstantStructValueKind:
      for (uint32_t i = 0; i < t->count; i++) {
        uint32_t slot;
        uint64_t offset;
        type_element(l, t, i, &slot, &offset);
        put_constant(l, LLVMGetOperand(c, i), to + offset);
      }
      return;
    default:
      put_slots(l, c, t, to);
  }
}

static int by_priority(const void *a, const void *b) {
  const struct image_ctor *x = a, *y = b;
  return x->priority < y->priority ? -1 : x->priority > y->priority;
}

/* llvm.global_ctors or llvm.global_dtors, sorted by priority and otherwise in the order of the list. */
static void fill_ctors(struct lower *l, const char *name, bool constructors) {
  LLVMValueRef v = LLVMGetNamedGlobal(l->module, name), list = v ? LLVMGetInitializer(v) : NULL;
  if (!list || LLVMGetValueKind(list) != LLVMConstantArrayValueKind) return;
  VEC(struct image_ctor) found = {0};
  for (unsigned i = 0, n = (unsigned)LLVMGetNumOperands(list); i < n && !l->failed; i++) {
    LLVMValueRef entry = LLVMGetOperand(list, i), function = resolve_alias(l, LLVMGetAggregateElement(entry, 1));
    uint64_t priority = 65535;
    if (LLVMGetValueKind(function) == LLVMConstantPointerNullValueKind) continue;
    (void)const_integer(LLVMGetAggregateElement(entry, 0), &priority);
    struct callee c = function_callee(l, function);
    if (LLVMGetValueKind(function) != LLVMFunctionValueKind || c.kind != CALLEE_FUNCTION)
      lower_fail(l, NULL, "a constructor or destructor that is no function of the program");
    else
      *vec_push(&found) = (struct image_ctor){c.index, (int32_t)priority};
  }
  /* insertion keeps equal priorities in order */
  for (size_t i = 1; i < found.count; i++)
    for (size_t k = i; k > 0 && by_priority(&found.data[k - 1], &found.data[k]) > 0; k--) {
      struct image_ctor other = found.data[k];
      found.data[k] = found.data[k - 1], found.data[k - 1] = other;
    }
  for (size_t i = 0; i < found.count; i++)
    if (constructors)
      *vec_push(&l->image.ctors) = found.data[i];
    else
      *vec_push(&l->image.dtors) = found.data[found.count - 1 - i];
  vec_release(&found);
}

void globals_fill(struct lower *l) {
  l->labels_known = true;
  if (l->image.data_size) memset(vec_push_n(&l->image.data, l->image.data_size), 0, l->image.data_size);
  if (l->image.tls_size) memset(vec_push_n(&l->image.tls, l->image.tls_size), 0, l->image.tls_size);
  for (size_t i = 0; i < l->variables.count && !l->failed; i++) {
    const struct image_global *g = &l->image.globals.data[i];
    bool tls = g->flags & GLOBAL_TLS;
    if (g->flags & GLOBAL_MISSING) continue;
    put_constant(l, LLVMGetInitializer(l->variables.data[i]),
                 tls ? l->image.tls.data + g->address : l->image.data.data + (g->address - GLOBALS_BASE));
  }
  while (l->image.data.count && vec_last(&l->image.data) == 0) (void)vec_pop(&l->image.data);
  for (size_t i = 0; i < l->late.count && !l->failed; i++)
    (void)const_slots(l, l->late.data[i].value, l->image.constants.data + l->late.data[i].slot);
  fill_ctors(l, "llvm.global_ctors", true);
  fill_ctors(l, "llvm.global_dtors", false);
}
