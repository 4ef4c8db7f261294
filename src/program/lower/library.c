#include "program/lower/library.h"

#include <ctype.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "program/lower/link.h"

enum { STATE_WORDS = 4, NAME_LONGEST = 127 };

struct values {
  VEC(LLVMValueRef) of;
};

/* --- what is in a module --- */

static bool is_defined(LLVMValueRef v) { return LLVMGetValueKind(v) == LLVMGlobalAliasValueKind || !LLVMIsDeclaration(v); }

/* Of its own, and to be seen by others. */
static bool is_exported(LLVMValueRef v) {
  LLVMLinkage linkage = LLVMGetLinkage(v);
  bool seen = linkage == LLVMExternalLinkage || linkage == LLVMWeakAnyLinkage || linkage == LLVMCommonLinkage;
  return is_defined(v) && seen && LLVMGetVisibility(v) == LLVMDefaultVisibility;
}

/* A library's alone: not what several may have and share, as inline functions. */
static bool is_own(LLVMValueRef v) {
  LLVMLinkage linkage = LLVMGetLinkage(v);
  return is_defined(v) && (linkage == LLVMExternalLinkage || linkage == LLVMWeakAnyLinkage || linkage == LLVMCommonLinkage);
}

static const char *name_of(LLVMValueRef v) {
  size_t n;
  return LLVMGetValueName2(v, &n);
}

static bool is_intrinsic(LLVMValueRef v) { return strncmp(name_of(v), "llvm.", 5) == 0; }

/* Every function, variable and alias. */
static void all_symbols(LLVMModuleRef m, struct values *out) {
  for (LLVMValueRef v = LLVMGetFirstFunction(m); v; v = LLVMGetNextFunction(v)) *vec_push(&out->of) = v;
  for (LLVMValueRef v = LLVMGetFirstGlobal(m); v; v = LLVMGetNextGlobal(v)) *vec_push(&out->of) = v;
  for (LLVMValueRef v = LLVMGetFirstGlobalAlias(m); v; v = LLVMGetNextGlobalAlias(v)) *vec_push(&out->of) = v;
}

static LLVMValueRef find(LLVMModuleRef m, const char *name) {
  LLVMValueRef v = LLVMGetNamedFunction(m, name);
  if (!v) v = LLVMGetNamedGlobal(m, name);
  return v ? v : LLVMGetNamedGlobalAlias(m, name, strlen(name));
}

static bool defines(LLVMModuleRef m, const char *name) {
  LLVMValueRef v = find(m, name);
  return v && is_own(v);
}

static bool is_variable(LLVMValueRef v) { return LLVMGetValueKind(v) == LLVMGlobalVariableValueKind; }

/* --- tables --- */

static LLVMTypeRef pointer_type(LLVMModuleRef m) { return LLVMPointerTypeInContext(LLVMGetModuleContext(m), 0); }
static LLVMValueRef number(LLVMModuleRef m, uint64_t value) {
  return LLVMConstInt(LLVMInt64TypeInContext(LLVMGetModuleContext(m)), value, false);
}
static LLVMValueRef null(LLVMModuleRef m) { return LLVMConstNull(pointer_type(m)); }

/* A variable of ours: reports do not take it for the program's. */
static LLVMValueRef add_variable(LLVMModuleRef m, const char *name, LLVMValueRef initial, bool constant) {
  LLVMContextRef context = LLVMGetModuleContext(m);
  LLVMValueRef v = LLVMAddGlobal(m, LLVMTypeOf(initial), name);
  LLVMSetInitializer(v, initial);
  LLVMSetGlobalConstant(v, constant);
  LLVMSetLinkage(v, LLVMInternalLinkage);
  LLVMGlobalSetMetadata(v, LLVMGetMDKindIDInContext(context, LINK_MODEL_MARK, sizeof LINK_MODEL_MARK - 1),
                        LLVMMDNodeInContext2(context, NULL, 0));
  return v;
}

static LLVMValueRef text_constant(LLVMModuleRef m, const char *text) {
  return add_variable(m, "", LLVMConstStringInContext2(LLVMGetModuleContext(m), text, strlen(text), false), true);
}

/* A constant array of values of one type: its address, or NULL if there are none. */
static LLVMValueRef array_of(LLVMModuleRef m, struct values *v) {
  LLVMValueRef array = null(m);
  if (v->of.count) array = add_variable(m, "", LLVMConstArray2(LLVMTypeOf(v->of.data[0]), v->of.data, v->of.count), true);
  vec_release(&v->of);
  return array;
}

/* A function that gives the address of a thread-local variable in the thread that calls it. */
static LLVMValueRef add_accessor(LLVMModuleRef m, LLVMValueRef variable) {
  LLVMContextRef context = LLVMGetModuleContext(m);
  LLVMValueRef f = LLVMAddFunction(m, "", LLVMFunctionType(pointer_type(m), NULL, 0, false));
  LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(context, f, ""));
  LLVMBuildRet(b, variable);
  LLVMDisposeBuilder(b);
  LLVMSetLinkage(f, LLVMInternalLinkage);
  LLVMAddAttributeAtIndex(f, FUNCTION_ATTRIBUTES, LLVMCreateStringAttribute(context, LINK_MODEL_MARK, sizeof LINK_MODEL_MARK - 1, "", 0));
  return f;
}

/* struct hd_symbol: its name, where it is, how large it is, and of thread-locals the accessor. */
static void add_symbol(LLVMModuleRef m, const char *name, LLVMValueRef v, struct values *to) {
  bool variable = is_variable(v), local = variable && LLVMIsThreadLocal(v);
  uint64_t size = 0;
  if (variable && !LLVMIsDeclaration(v)) size = LLVMABISizeOfType(LLVMGetModuleDataLayout(m), LLVMGlobalGetValueType(v));
  LLVMValueRef fields[] = {text_constant(m, name), local ? null(m) : v, number(m, size), local ? add_accessor(m, v) : null(m)};
  *vec_push(&to->of) = LLVMConstStructInContext(LLVMGetModuleContext(m), fields, 4, false);
}

/* --- a library --- */

struct ctor {
  uint64_t priority;
  size_t place;
  LLVMValueRef function;
};

static int by_priority(const void *a, const void *b) {
  const struct ctor *x = a, *y = b;
  if (x->priority != y->priority) return x->priority < y->priority ? -1 : 1;
  return x->place < y->place ? -1 : x->place > y->place;
}

/* Takes llvm.global_ctors or llvm.global_dtors out of the module: the functions in the order to run. */
static void take_ctors(LLVMModuleRef m, const char *name, bool backwards, struct values *out) {
  LLVMValueRef list = LLVMGetNamedGlobal(m, name), entries = list ? LLVMGetInitializer(list) : NULL;
  VEC(struct ctor) ctors = {0};
  int n = entries && LLVMIsAConstantArray(entries) ? LLVMGetNumOperands(entries) : 0;
  for (int i = 0; i < n; i++) {
    LLVMValueRef entry = LLVMGetOperand(entries, (unsigned)i), f = LLVMGetOperand(entry, 1);
    if (LLVMIsAFunction(f)) *vec_push(&ctors) = (struct ctor){LLVMConstIntGetZExtValue(LLVMGetOperand(entry, 0)), (size_t)i, f};
  }
  if (ctors.count) qsort(ctors.data, ctors.count, sizeof *ctors.data, by_priority);
  for (size_t i = 0; i < ctors.count; i++) *vec_push(&out->of) = ctors.data[backwards ? ctors.count - 1 - i : i].function;
  vec_release(&ctors);
  if (list) LLVMDeleteGlobal(list);
}

static void rename_for(LLVMValueRef v, const char *name, const char *library) {
  struct text own = {0};
  text_printf(&own, "%s@%s", name, library);
  LLVMSetValueName2(v, text_str(&own), own.count);
  text_release(&own);
}

/* Whoever of the other libraries has what `name` stands for. */
static size_t find_other(const struct libraries *l, size_t self, const char *name) {
  size_t i = 0;
  while (i < l->modules.count && (i == self || !defines(l->modules.data[i], name))) i++;
  return i;
}

/* What is missing here and not in the program, but in another library, is that one's. */
static void bind_to_others(const struct libraries *l, size_t self, LLVMModuleRef program) {
  struct values symbols = {0};
  all_symbols(l->modules.data[self], &symbols);
  for (size_t i = 0; i < symbols.of.count; i++) {
    LLVMValueRef v = symbols.of.data[i];
    if (is_defined(v) || is_intrinsic(v) || defines(program, name_of(v))) continue;
    size_t other = find_other(l, self, name_of(v));
    if (other == l->modules.count) continue;
    struct text name = {0};
    text_puts(&name, name_of(v));
    rename_for(v, text_str(&name), l->names.data[other]);
    text_release(&name);
  }
  vec_release(&symbols.of);
}

/* The library's own handle for what it registers to be run when it is closed. */
static LLVMValueRef own_handle(LLVMModuleRef m) {
  LLVMValueRef handle = add_variable(m, "", number(m, 0), false), there = LLVMGetNamedGlobal(m, "__dso_handle");
  if (there) {
    LLVMReplaceAllUsesWith(there, handle);
    LLVMDeleteGlobal(there);
  }
  return handle;
}

static LLVMValueRef state_words(LLVMModuleRef m) {
  LLVMTypeRef words = LLVMArrayType2(LLVMInt64TypeInContext(LLVMGetModuleContext(m)), STATE_WORDS);
  return add_variable(m, "", LLVMConstNull(words), false);
}

/* struct hd_library, as the global "__hd_library@NAME". */
static void add_table(LLVMModuleRef m, const char *library) {
  struct values all = {0}, symbols = {0}, ctors = {0}, dtors = {0}, data = {0}, locals = {0};
  take_ctors(m, "llvm.global_ctors", false, &ctors);
  take_ctors(m, "llvm.global_dtors", true, &dtors);
  all_symbols(m, &all);
  for (size_t i = 0; i < all.of.count; i++) {
    LLVMValueRef v = all.of.data[i];
    if (is_intrinsic(v) || !is_defined(v)) continue;
    if (is_variable(v) && !LLVMIsGlobalConstant(v) && !LLVMIsThreadLocal(v)) *vec_push(&data.of) = v;
    if (is_variable(v) && LLVMIsThreadLocal(v)) *vec_push(&locals.of) = add_accessor(m, v);
    if (is_exported(v)) add_symbol(m, name_of(v), v, &symbols);
  }
  LLVMValueRef handle = own_handle(m);
  for (size_t i = 0; i < all.of.count; i++) {
    LLVMValueRef v = all.of.data[i];
    if (is_intrinsic(v) || !is_own(v)) continue;
    struct text name = {0};
    text_puts(&name, name_of(v));
    rename_for(v, text_str(&name), library);
    text_release(&name);
  }
  uint64_t counts[] = {symbols.of.count, ctors.of.count, dtors.of.count, data.of.count, locals.of.count};
  LLVMValueRef fields[] = {text_constant(m, library), state_words(m),       handle,
                           array_of(m, &symbols),     number(m, counts[0]), array_of(m, &ctors),
                           number(m, counts[1]),      array_of(m, &dtors),  number(m, counts[2]),
                           array_of(m, &data),        number(m, counts[3]), array_of(m, &locals),
                           number(m, counts[4])};
  LLVMValueRef table = LLVMConstStructInContext(LLVMGetModuleContext(m), fields, sizeof fields / sizeof *fields, false);
  struct text name = {0};
  text_printf(&name, "__hd_library@%s", library);
  LLVMSetLinkage(add_variable(m, text_str(&name), table, true), LLVMExternalLinkage);
  text_release(&name);
  vec_release(&all.of);
}

void libraries_add(struct libraries *l, const char *name, LLVMModuleRef module) {
  *vec_push(&l->names) = name;
  *vec_push(&l->modules) = module;
}

void libraries_prepare(struct libraries *l, LLVMModuleRef program) {
  for (size_t i = 0; i < l->modules.count; i++) bind_to_others(l, i, program);
  for (size_t i = 0; i < l->modules.count; i++) add_table(l->modules.data[i], l->names.data[i]);
}

void libraries_release(struct libraries *l) {
  vec_release(&l->modules);
  vec_release(&l->names);
}

/* --- the program --- */

/* Does it load anything, or look names up? */
static bool is_dynamic(LLVMModuleRef program) {
  static const char *const names[] = {"dlopen", "dlsym", "dlvsym", "dlclose", "dladdr", "dlerror"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    LLVMValueRef v = LLVMGetNamedFunction(program, names[i]);
    if (v && LLVMIsDeclaration(v) && LLVMGetFirstUse(v)) return true;
  }
  return false;
}

static bool is_identifier(const char *s, size_t n) {
  if (n < 2 || n > NAME_LONGEST || isdigit((unsigned char)s[0])) return false;
  for (size_t i = 0; i + 1 < n; i++)
    if (!isalnum((unsigned char)s[i]) && s[i] != '_') return false;
  return s[n - 1] == 0;
}

static bool is_of_library(const struct libraries *l, LLVMModuleRef program, const char *name) {
  bool found = false;
  for (size_t i = 0; i < l->names.count && !found; i++) {
    struct text own = {0};
    text_printf(&own, "%s@%s", name, l->names.data[i]);
    found = find(program, text_str(&own)) != NULL;
    text_release(&own);
  }
  return found;
}

/* The program defines it: what is behind that, for RTLD_NEXT, is "__hd_next.NAME" (link_models(), builtin_bind()). Otherwise a function or
 * variable of the models, or perhaps a function of the machine: the one that is called so. */
static void add_named(const struct libraries *l, LLVMModuleRef program, LLVMModuleRef *models, size_t nmodels, const char *name,
                      struct values *known, struct values *next) {
  LLVMTypeRef function = LLVMFunctionType(LLVMVoidTypeInContext(LLVMGetModuleContext(program)), NULL, 0, false);
  LLVMValueRef there = find(program, name), model = NULL;
  for (size_t i = 0; i < nmodels && !model; i++) {
    LLVMValueRef v = models[i] ? find(models[i], name) : NULL;
    if (v && is_own(v)) model = v;
  }
  if (there && is_defined(there) && !is_own(there)) return; /* nobody else's business */
  if (!there && !model && is_of_library(l, program, name)) return;
  bool own = there && is_own(there), variable = model && is_variable(model);
  struct text other = {0};
  if (own) text_puts(&other, LINK_NEXT_PREFIX);
  text_puts(&other, name);
  LLVMValueRef v = find(program, text_str(&other));
  if (!v && variable && !own) v = LLVMAddGlobal(program, LLVMGlobalGetValueType(model), text_str(&other));
  if (!v && !variable) v = LLVMAddFunction(program, text_str(&other), function);
  if (v && !(variable && LLVMIsThreadLocal(model))) add_symbol(program, name, v, own ? next : known);
  text_release(&other);
}

/* All strings that may be names which the program asks for. */
static void find_named(const struct libraries *l, LLVMModuleRef program, LLVMModuleRef *models, size_t nmodels, struct values *known,
                       struct values *next) {
  VEC(char *) names = {0};
  for (LLVMValueRef v = LLVMGetFirstGlobal(program); v; v = LLVMGetNextGlobal(v)) {
    LLVMValueRef initial = LLVMIsDeclaration(v) ? NULL : LLVMGetInitializer(v);
    size_t n;
    if (!initial || !LLVMIsAConstantDataArray(initial) || !LLVMIsConstantString(initial)) continue;
    const char *text = LLVMGetAsString(initial, &n);
    if (is_identifier(text, n)) *vec_push(&names) = strdup(text);
  }
  for (size_t i = 0; i < names.count; i++) {
    bool again = false;
    for (size_t k = 0; k < i && !again; k++) again = strcmp(names.data[i], names.data[k]) == 0;
    if (!again) add_named(l, program, models, nmodels, names.data[i], known, next);
  }
  for (size_t i = 0; i < names.count; i++) free(names.data[i]);
  vec_release(&names);
}

static LLVMValueRef find_table(LLVMModuleRef program, const char *library) {
  struct text name = {0};
  text_printf(&name, "__hd_library@%s", library);
  LLVMValueRef v = LLVMGetNamedGlobal(program, text_str(&name));
  text_release(&name);
  return v;
}

void libraries_tell(struct libraries *l, LLVMModuleRef program, LLVMModuleRef *models, size_t nmodels) {
  if (!is_dynamic(program)) return;
  struct values all = {0}, own = {0}, known = {0}, next = {0}, tables = {0};
  find_named(l, program, models, nmodels, &known, &next);
  all_symbols(program, &all);
  for (size_t i = 0; i < all.of.count; i++) {
    LLVMValueRef v = all.of.data[i];
    if (is_exported(v) && !is_intrinsic(v) && !strchr(name_of(v), '@')) add_symbol(program, name_of(v), v, &own);
  }
  for (size_t i = 0; i < l->names.count; i++) *vec_push(&tables.of) = find_table(program, l->names.data[i]);
  uint64_t counts[] = {own.of.count, known.of.count, next.of.count, tables.of.count};
  LLVMValueRef fields[] = {array_of(program, &own),  number(program, counts[0]), array_of(program, &known),  number(program, counts[1]),
                           array_of(program, &next), number(program, counts[2]), array_of(program, &tables), number(program, counts[3])};
  LLVMValueRef table = LLVMConstStructInContext(LLVMGetModuleContext(program), fields, 8, false);
  LLVMSetLinkage(add_variable(program, "__hd_dynamic", table, true), LLVMExternalLinkage);
  vec_release(&all.of);
}
