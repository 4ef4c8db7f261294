#include "program/lower/operations.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "program/lower/link.h"
#include "program/object.h"

enum { WORD_BITS = 64 };

struct preparing {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTypeRef word, type; /* of numbers; of the functions that are added */
  VEC(LLVMValueRef) operations, callers;
  const char *name; /* the program's */
  struct diag *diag;
};

static const char *name_of(LLVMValueRef f) {
  size_t n;
  return LLVMGetValueName2(f, &n) + strlen(OBJECT_PREFIX);
}

static bool is_defined(LLVMModuleRef m, const char *name) {
  LLVMValueRef f = LLVMGetNamedFunction(m, name);
  return f && !LLVMIsDeclaration(f);
}

static int by_name(const void *a, const void *b) { return strcmp(name_of(*(const LLVMValueRef *)a), name_of(*(const LLVMValueRef *)b)); }

/* In the order of their names: what is explored first does not depend on how sources are laid out. */
static void find_operations(struct preparing *p) {
  for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
    size_t n;
    if (strncmp(LLVMGetValueName2(f, &n), OBJECT_PREFIX, strlen(OBJECT_PREFIX)) == 0 && !LLVMIsDeclaration(f))
      *vec_push(&p->operations) = f;
  }
  if (p->operations.count) qsort(p->operations.data, p->operations.count, sizeof *p->operations.data, by_name);
}

static bool is_number(LLVMTypeRef t) { return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) <= WORD_BITS; }

/* "FILE:LINE"; without debug information, the program. */
static void place_text(const struct preparing *p, LLVMValueRef f, struct text *out) {
  LLVMMetadataRef at = LLVMGetSubprogram(f);
  unsigned n;
  text_puts(out, p->name);
  if (at) {
    const char *file = LLVMDIFileGetFilename(LLVMDIScopeGetFile(at), &n);
    text_clear(out);
    text_printf(out, "%.*s:%u", (int)n, file, LLVMDISubprogramGetLine(at));
  }
}

static enum err check_operation(const struct preparing *p, LLVMValueRef f) {
  LLVMTypeRef type = LLVMGlobalGetValueType(f), parameters[OBJECT_ARGUMENTS];
  unsigned n = LLVMCountParamTypes(type), wrong = 0;
  struct text place = {0};
  enum err e = ERR_NONE;
  place_text(p, f, &place);
  if (n > OBJECT_ARGUMENTS || LLVMIsFunctionVarArg(type)) {
    e = diag_set(p->diag, ERR_UNSUPPORTED, "%s: operation %s has more than %d parameters", text_str(&place), name_of(f), OBJECT_ARGUMENTS);
  } else {
    LLVMGetParamTypes(type, parameters);
    while (wrong < n && is_number(parameters[wrong])) wrong++;
    if (wrong < n) diag_hint(p->diag, "let it take a number, and choose by that");
    if (wrong < n)
      e = diag_set(p->diag, ERR_UNSUPPORTED, "%s: parameter %u of operation %s is no integer of at most 64 bits", text_str(&place),
                   wrong + 1, name_of(f));
    else if (!is_number(LLVMGetReturnType(type)))
      e = diag_set(p->diag, ERR_UNSUPPORTED, "%s: operation %s does not return an integer", text_str(&place), name_of(f));
  }
  text_release(&place);
  return e;
}

static enum err check_program(const struct preparing *p) {
  if (p->operations.count == 0) {
    diag_hint(p->diag, "operations are written HD_OPERATION(name, int x) { return ...; } (heddle.h)");
    return diag_set(p->diag, ERR_UNSUPPORTED, "%s has no operations, which --linearizable is about", p->name);
  }
  if (p->operations.count > OBJECT_OPERATIONS)
    return diag_set(p->diag, ERR_UNSUPPORTED, "%s has more than %d operations", p->name, OBJECT_OPERATIONS);
  if (!is_defined(p->module, OBJECT_BEGIN)) {
    diag_hint(p->diag, "HD_BEGIN(void) { ... } makes the object that the operations work on; it may be empty");
    return diag_set(p->diag, ERR_UNSUPPORTED, "%s has operations, but no HD_BEGIN", p->name);
  }
  if (is_defined(p->module, "main")) {
    diag_hint(p->diag, "leave it out: with --linearizable Heddle makes the threads, and calls the operations");
    return diag_set(p->diag, ERR_UNSUPPORTED, "%s has operations, and a function 'main' as well", p->name);
  }
  return ERR_NONE;
}

static LLVMValueRef fit(const struct preparing *p, LLVMBuilderRef b, LLVMValueRef v, LLVMTypeRef to) {
  unsigned from = LLVMGetIntTypeWidth(LLVMTypeOf(v)), width = LLVMGetIntTypeWidth(to);
  (void)p;
  return from > width ? LLVMBuildTrunc(b, v, to, "") : from < width ? LLVMBuildSExt(b, v, to, "") : v;
}

/* long __hd_operation.INDEX.PARAMETERS.NAME(long, ...) { return hd_operation_NAME(...); } */
static LLVMValueRef add_caller(const struct preparing *p, unsigned index, LLVMValueRef f) {
  LLVMTypeRef type = LLVMGlobalGetValueType(f), parameters[OBJECT_ARGUMENTS];
  LLVMValueRef arguments[OBJECT_ARGUMENTS];
  unsigned n = LLVMCountParamTypes(type);
  struct text name = {0};
  text_printf(&name, OBJECT_FUNCTION "%03u.%03u.%s", index, n, name_of(f));
  LLVMValueRef caller = LLVMAddFunction(p->module, text_str(&name), p->type);
  text_release(&name);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(p->context);
  LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(p->context, caller, ""));
  LLVMGetParamTypes(type, parameters);
  for (unsigned i = 0; i < n; i++) arguments[i] = fit(p, b, LLVMGetParam(caller, i), parameters[i]);
  LLVMBuildRet(b, fit(p, b, LLVMBuildCall2(b, type, f, arguments, n, ""), p->word));
  LLVMDisposeBuilder(b);
  LLVMAddAttributeAtIndex(caller, FUNCTION_ATTRIBUTES,
                          LLVMCreateStringAttribute(p->context, LINK_MODEL_MARK, sizeof LINK_MODEL_MARK - 1, "", 0));
  return caller;
}

/* The first entry is main(), which is not here yet; the operations follow. */
static void add_table(struct preparing *p) {
  LLVMTypeRef pointer = LLVMPointerTypeInContext(p->context, 0);
  LLVMValueRef main_function = LLVMGetNamedFunction(p->module, "main");
  VEC(LLVMValueRef) entries = {0};
  if (!main_function)
    main_function = LLVMAddFunction(p->module, "main", LLVMFunctionType(LLVMInt32TypeInContext(p->context), NULL, 0, false));
  *vec_push(&entries) = main_function;
  for (size_t i = 0; i < p->callers.count; i++) *vec_push(&entries) = p->callers.data[i];
  LLVMValueRef array = LLVMConstArray2(pointer, entries.data, entries.count);
  LLVMValueRef table = LLVMAddGlobal(p->module, LLVMTypeOf(array), OBJECT_TABLE);
  LLVMSetInitializer(table, array);
  LLVMSetGlobalConstant(table, true);
  vec_release(&entries);
}

enum err operations_prepare(LLVMModuleRef module, const char *name, struct diag *d) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef word = LLVMInt64TypeInContext(context), words[OBJECT_ARGUMENTS];
  for (unsigned i = 0; i < OBJECT_ARGUMENTS; i++) words[i] = word;
  struct preparing p = {.module = module,
                        .context = context,
                        .word = word,
                        .type = LLVMFunctionType(word, words, OBJECT_ARGUMENTS, false),
                        .name = name,
                        .diag = d};
  find_operations(&p);
  enum err e = check_program(&p);
  for (size_t i = 0; i < p.operations.count && e == ERR_NONE; i++) e = check_operation(&p, p.operations.data[i]);
  for (size_t i = 0; i < p.operations.count && e == ERR_NONE; i++)
    *vec_push(&p.callers) = add_caller(&p, (unsigned)i, p.operations.data[i]);
  if (e == ERR_NONE) add_table(&p);
  vec_release(&p.operations);
  vec_release(&p.callers);
  return e;
}
