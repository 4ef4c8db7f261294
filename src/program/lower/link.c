#include "program/lower/link.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdbool.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "program/lower/analysis/bounds.h"
#include "program/lower/analysis/undefined.h"
#include "program/lower/crash.h"
#include "program/lower/library.h"
#include "program/lower/link_needed.h"
#include "program/lower/locked.h"
#include "program/lower/operations.h"
#include "program/named_calls.h"

/* Everything LLVM has to say goes to the diagnostic: without a handler of ours it would print, and end the process. */
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *context) {
  struct text *messages = context;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) return;
  char *text = LLVMGetDiagInfoDescription(info);
  if (messages->count == 0) text_puts(messages, text);
  LLVMDisposeMessage(text);
}

static bool is_bitcode(const char *bytes, size_t n) {
  return n >= 4 && (memcmp(bytes, "BC\xc0\xde", 4) == 0 || memcmp(bytes, "\xde\xc0\x17\x0b", 4) == 0);
}

/* One line: LLVM's parser of textual IR answers with the source and a caret. */
static void first_line(struct text *t) {
  char *newline = t->count ? strchr(t->data, '\n') : NULL;
  if (newline) *newline = 0, t->count = (size_t)(newline - t->data);
}

static bool looks_like_text(const char *bytes, size_t n) {
  for (size_t i = 0; i < n && i < 512; i++)
    if ((unsigned char)bytes[i] < 9) return false;
  return true;
}

/* The reader lets through what no compiler writes: uses before definitions, calls that do not fit. What comes later counts on it. */
static bool is_broken(LLVMModuleRef module, struct text *messages) {
  char *problem = NULL;
  bool broken = LLVMVerifyModule(module, LLVMReturnStatusAction, &problem);
  if (broken && problem) text_puts(messages, problem);
  LLVMDisposeMessage(problem);
  return broken;
}

static enum err parse_file(LLVMContextRef context, const char *path, bool lazy, struct text *messages, LLVMModuleRef *module,
                           struct diag *d) {
  LLVMMemoryBufferRef buffer;
  char *problem = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &problem)) {
    diag_set(d, ERR_FILE, "cannot read %s: %s", path, problem);
    LLVMDisposeMessage(problem);
    return ERR_FILE;
  }
  const char *start = LLVMGetBufferStart(buffer);
  size_t n = LLVMGetBufferSize(buffer);
  text_clear(messages);
  crash_blame(path);
  bool failed;
  if (is_bitcode(start, n)) {
    failed = lazy ? LLVMGetBitcodeModuleInContext2(context, buffer, module) : LLVMParseBitcodeInContext2(context, buffer, module);
    if (!lazy || failed) LLVMDisposeMemoryBuffer(buffer);
  } else if (n == 0 || !looks_like_text(start, n)) {
    LLVMDisposeMemoryBuffer(buffer);
    return diag_set(d, ERR_FORMAT, "%s is not LLVM bitcode%s", path, n ? "" : ": it is empty");
  } else {
    failed = LLVMParseIRInContext(context, buffer, module, &problem);
    if (failed && problem) text_puts(messages, problem);
    LLVMDisposeMessage(problem);
  }
  if (!failed && !lazy) failed = is_broken(*module, messages);
  crash_blame(NULL);
  first_line(messages);
  if (failed) diag_set(d, ERR_FORMAT, "%s is not usable LLVM bitcode%s%s", path, messages->count ? ": " : "", text_str(messages));
  return failed ? ERR_FORMAT : ERR_NONE;
}

static bool supported_target(LLVMModuleRef module) {
  const char *triple = LLVMGetTarget(module);
  return triple[0] == 0 || strncmp(triple, "x86_64", 6) == 0;
}

static enum err parse_checked(LLVMContextRef context, const char *path, bool lazy, struct text *messages, LLVMModuleRef *module,
                              struct diag *d) {
  enum err e = parse_file(context, path, lazy, messages, module, d);
  if (e != ERR_NONE) return e;
  if (!supported_target(*module)) {
    e = diag_set(d, ERR_UNSUPPORTED, "%s is for %s: only x86_64 is supported", path, LLVMGetTarget(*module));
    LLVMDisposeModule(*module);
    *module = NULL;
  }
  return e;
}

static enum err said_by_linker(bool failed, const char *path, struct text *messages, struct diag *d) {
  if (!failed) return ERR_NONE;
  first_line(messages);
  return diag_set(d, ERR_FORMAT, "cannot link %s: %s", path, text_str(messages));
}

static enum err link_into(LLVMModuleRef *whole, LLVMModuleRef part, const char *path, struct text *messages, struct diag *d) {
  if (!*whole) {
    *whole = part;
    return ERR_NONE;
  }
  text_clear(messages);
  return said_by_linker(LLVMLinkModules2(*whole, part), path, messages, d);
}

/* Models --------------------------------------------------------------- */

static bool is_defined_here(LLVMValueRef v) {
  LLVMLinkage linkage = LLVMGetLinkage(v);
  return !LLVMIsDeclaration(v) && linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage && linkage != LLVMAppendingLinkage &&
         linkage != LLVMAvailableExternallyLinkage;
}

static LLVMValueRef find_symbol(LLVMModuleRef m, const char *name) {
  LLVMValueRef v = LLVMGetNamedFunction(m, name);
  if (!v) v = LLVMGetNamedGlobal(m, name);
  return v ? v : LLVMGetNamedGlobalAlias(m, name, strlen(name));
}

/* Does `v`, defined in a model, fill a gap of the program? */
static bool is_wanted(LLVMModuleRef whole, LLVMValueRef v) {
  size_t n;
  if (!is_defined_here(v)) return false;
  LLVMValueRef other = find_symbol(whole, LLVMGetValueName2(v, &n));
  return other && LLVMGetValueKind(other) != LLVMGlobalAliasValueKind && LLVMIsDeclaration(other) && LLVMGetFirstUse(other);
}

/* What the machine itself calls: the end of the process and of a thread. Programs need it though they never name it. */
static const char *const always_wanted[] = {"__hd_begin", "__hd_main_exit", "__hd_thread_exit"};

static bool model_is_wanted(LLVMModuleRef whole, LLVMModuleRef model) {
  for (size_t i = 0; i < sizeof always_wanted / sizeof *always_wanted; i++) {
    LLVMValueRef v = find_symbol(model, always_wanted[i]);
    if (v && is_defined_here(v) && !find_symbol(whole, always_wanted[i])) return true;
  }
  for (LLVMValueRef v = LLVMGetFirstFunction(model); v; v = LLVMGetNextFunction(v))
    if (is_wanted(whole, v)) return true;
  for (LLVMValueRef v = LLVMGetFirstGlobal(model); v; v = LLVMGetNextGlobal(v))
    if (is_wanted(whole, v)) return true;
  for (LLVMValueRef v = LLVMGetFirstGlobalAlias(model); v; v = LLVMGetNextGlobalAlias(v))
    if (is_wanted(whole, v)) return true;
  return false;
}

/* What the program defines itself stays the program's. */
static void yield_to(LLVMModuleRef whole, LLVMValueRef v) {
  size_t n;
  if (!is_defined_here(v)) return;
  LLVMValueRef other = find_symbol(whole, LLVMGetValueName2(v, &n));
  if (other && (LLVMGetValueKind(other) == LLVMGlobalAliasValueKind || is_defined_here(other))) LLVMSetLinkage(v, LLVMWeakAnyLinkage);
}

static void prepare_model(LLVMModuleRef whole, LLVMModuleRef model) {
  LLVMContextRef context = LLVMGetModuleContext(model);
  LLVMAttributeRef mark = LLVMCreateStringAttribute(context, LINK_MODEL_MARK, sizeof LINK_MODEL_MARK - 1, "", 0);
  unsigned kind = LLVMGetMDKindIDInContext(context, LINK_MODEL_MARK, sizeof LINK_MODEL_MARK - 1);
  LLVMMetadataRef node = LLVMMDNodeInContext2(context, NULL, 0);
  for (LLVMValueRef v = LLVMGetFirstFunction(model); v; v = LLVMGetNextFunction(v)) {
    if (!LLVMIsDeclaration(v)) LLVMAddAttributeAtIndex(v, FUNCTION_ATTRIBUTES, mark);
    yield_to(whole, v);
  }
  for (LLVMValueRef v = LLVMGetFirstGlobal(model); v; v = LLVMGetNextGlobal(v)) {
    if (!LLVMIsDeclaration(v)) LLVMGlobalSetMetadata(v, kind, node);
    yield_to(whole, v);
  }
  for (LLVMValueRef v = LLVMGetFirstGlobalAlias(model); v; v = LLVMGetNextGlobalAlias(v)) yield_to(whole, v);
}

/* Vector instructions of the processor are functions of the models (models/libc/x86.c), as far as they are there: llvm.x86.sse2.pmadd.wd is
 * __hd_llvm_x86_sse2_pmadd_wd. */
static void replace_instruction(LLVMModuleRef whole, LLVMValueRef instruction, LLVMModuleRef *models, size_t n) {
  size_t length;
  struct text name = {0};
  text_printf(&name, "__hd_%s", LLVMGetValueName2(instruction, &length));
  for (char *dot; (dot = strchr(name.data, '.'));) *dot = '_';
  for (size_t i = 0; i < n; i++) {
    LLVMValueRef v = models[i] ? LLVMGetNamedFunction(models[i], text_str(&name)) : NULL;
    if (!v || !is_defined_here(v)) continue;
    LLVMValueRef other = LLVMAddFunction(whole, text_str(&name), LLVMGlobalGetValueType(instruction));
    LLVMReplaceAllUsesWith(instruction, other);
    break;
  }
  text_release(&name);
}

static void replace_instructions(LLVMModuleRef whole, LLVMModuleRef *models, size_t n) {
  static const char prefix[] = "llvm.x86.";
  for (LLVMValueRef v = LLVMGetFirstFunction(whole), next; v; v = next) {
    size_t length;
    const char *name = LLVMGetValueName2(v, &length);
    next = LLVMGetNextFunction(v);
    if (strncmp(name, prefix, sizeof prefix - 1) == 0) replace_instruction(whole, v, models, n);
  }
}

/* What the program asks for behind its own: a model gives its function another name than the program's. */
static void rename_next(LLVMModuleRef whole, LLVMModuleRef model) {
  for (LLVMValueRef v = LLVMGetFirstFunction(whole); v; v = LLVMGetNextFunction(v)) {
    size_t n, prefix = sizeof LINK_NEXT_PREFIX - 1;
    const char *name = LLVMGetValueName2(v, &n);
    if (strncmp(name, LINK_NEXT_PREFIX, prefix) != 0) continue;
    LLVMValueRef own = LLVMGetNamedFunction(model, name + prefix);
    if (own && is_defined_here(own)) LLVMSetValueName2(own, name, n);
  }
}

/* Calls ---------------------------------------------------------------- */

static const struct named_calls_hooks call_hooks = {.call = "__hd_told_call", .returns = "__hd_told_return"};

static const char lock_functions[] =
#define TAKES(name, tries) #name "\n"
#define GIVES(name)        #name "\n"
#define WAITS(name)        #name "\n"
#include "program/lock_functions.inc"
#undef TAKES
#undef GIVES
#undef WAITS
    ;

/* The machine has hd_event() for those who look; without them it is nowhere, and HD_EVENT() does nothing. */
static void tell_calls(const struct load_options *o, LLVMModuleRef module, bool model) {
  struct text names = {0};
  LLVMValueRef event = LLVMGetNamedFunction(module, "hd_event");
  if (o->calls && !model) text_puts(&names, o->calls);
  if (o->locks) text_puts(&names, lock_functions);
  if (o->calls && event && LLVMIsDeclaration(event)) LLVMSetLinkage(event, LLVMExternalLinkage);
  if (o->calls || names.count) named_calls_weave(module, text_str(&names), &call_hooks);
  text_release(&names);
}

static bool is_among(LLVMModuleRef *models, size_t n, const char *name) {
  for (size_t i = 0; i < n; i++) {
    LLVMValueRef v = find_symbol(models[i], name);
    if (v && is_defined_here(v)) return true;
  }
  return false;
}

/* What a model before it defines, too, counts as this one's, whoever needs it. */
static void need_overrides(LLVMModuleRef whole, LLVMModuleRef model, LLVMModuleRef *before, size_t n) {
  size_t length;
  const char *name;
  for (LLVMValueRef v = LLVMGetFirstFunction(model); v; v = LLVMGetNextFunction(v))
    if (is_defined_here(v) && !find_symbol(whole, name = LLVMGetValueName2(v, &length)) && is_among(before, n, name))
      LLVMAddFunction(whole, name, LLVMGlobalGetValueType(v));
  for (LLVMValueRef v = LLVMGetFirstGlobal(model); v; v = LLVMGetNextGlobal(v))
    if (is_defined_here(v) && !find_symbol(whole, name = LLVMGetValueName2(v, &length)) && is_among(before, n, name))
      LLVMAddGlobal(whole, LLVMGlobalGetValueType(v), name);
}

/* As a linker does with archives: a model is linked if it defines what is missing, and of it what is missing and what that needs. A model
 * needs none behind it (load.h), so what the last one needs is known before any other is linked. */
static enum err link_models(LLVMContextRef context, const struct load_options *o, LLVMModuleRef whole, struct libraries *libraries,
                            struct text *messages, struct diag *d) {
  enum err e = ERR_NONE;
  LLVMModuleRef *models = mem_alloc(o->nmodels * sizeof *models);
  for (size_t i = 0; i < o->nmodels && e == ERR_NONE; i++) e = parse_checked(context, o->models[i], true, messages, &models[i], d);
  if (e == ERR_NONE) {
    replace_instructions(whole, models, o->nmodels);
    libraries_tell(libraries, whole, models, o->nmodels);
    for (size_t i = 0; i < o->nmodels; i++) rename_next(whole, models[i]);
  }
  for (size_t i = o->nmodels; i-- > 0 && e == ERR_NONE;) {
    if (!model_is_wanted(whole, models[i])) continue;
    prepare_model(whole, models[i]);
    need_overrides(whole, models[i], models, i);
    if (o->locks) tell_calls(o, models[i], true);
    text_clear(messages);
    e = said_by_linker(link_needed(whole, models[i]), o->models[i], messages, d);
    models[i] = NULL;
  }
  for (size_t i = 0; i < o->nmodels; i++)
    if (models[i] && !o->ends) LLVMDisposeModule(models[i]);
  mem_free(models, o->nmodels * sizeof *models);
  return e;
}

bool link_is_model(LLVMValueRef function) {
  return LLVMGetStringAttributeAtIndex(function, FUNCTION_ATTRIBUTES, LINK_MODEL_MARK, sizeof LINK_MODEL_MARK - 1) != NULL;
}

/* Passes --------------------------------------------------------------- */

static void allow_passes(LLVMModuleRef module) {
  unsigned optnone = LLVMGetEnumAttributeKindForName("optnone", 7);
  for (LLVMValueRef v = LLVMGetFirstFunction(module); v; v = LLVMGetNextFunction(v))
    LLVMRemoveEnumAttributeAtIndex(v, FUNCTION_ATTRIBUTES, optnone);
}

/* Functions whose calls the machine is told of may be called by the machine alone, as those that give an object's state. */
static void keep_named(const struct load_options *o, LLVMModuleRef module, struct text *passes) {
  struct text name = {0};
  for (const char *at = o->calls, *end; at && *at; at = *end ? end + 1 : end) {
    end = at + strcspn(at, "\n");
    text_clear(&name);
    text_append(&name, at, (size_t)(end - at));
    LLVMValueRef f = LLVMGetNamedFunction(module, text_str(&name));
    if (f && !LLVMIsDeclaration(f)) text_printf(passes, ";preserve-gv=%s", text_str(&name));
  }
  text_release(&name);
}

/* No pass here may remove, merge, split or reorder accesses to memory that another thread may see: only what is unreachable, locals whose
 * address does not escape, and operations that the instruction set lacks. */
static enum err run_passes(const struct load_options *o, LLVMModuleRef module, struct diag *d) {
  struct text passes = {0};
  text_puts(&passes, "internalize<preserve-gv=main");
  keep_named(o, module, &passes);
  text_puts(&passes, ">,globaldce,function(sroa<preserve-cfg>,scalarize-masked-mem-intrin)");
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef problem = LLVMRunPasses(module, text_str(&passes), NULL, options);
  LLVMDisposePassBuilderOptions(options);
  text_release(&passes);
  if (!problem) return ERR_NONE;
  char *text = LLVMGetErrorMessage(problem);
  diag_set(d, ERR_TOOL, "LLVM's passes failed: %s", text);
  LLVMDisposeErrorMessage(text);
  return ERR_TOOL;
}

/* Inputs [first, +count) as one module. */
static enum err link_inputs(LLVMContextRef context, const struct load_options *o, size_t first, size_t count, LLVMModuleRef *whole,
                            struct text *messages, struct diag *d) {
  enum err e = ERR_NONE;
  for (size_t i = first; i < first + count && e == ERR_NONE; i++) {
    LLVMModuleRef part = NULL;
    e = parse_checked(context, o->inputs[i], false, messages, &part, d);
    if (e == ERR_NONE) tell_calls(o, part, false);
    if (e == ERR_NONE) e = link_into(whole, part, o->inputs[i], messages, d);
  }
  return e;
}

static enum err link_libraries(LLVMContextRef context, const struct load_options *o, LLVMModuleRef whole, struct libraries *libraries,
                               struct text *messages, struct diag *d) {
  enum err e = ERR_NONE;
  for (size_t i = 0; i < o->nlibraries && e == ERR_NONE; i++) {
    LLVMModuleRef module = NULL;
    e = link_inputs(context, o, o->libraries[i].first, o->libraries[i].count, &module, messages, d);
    if (module) libraries_add(libraries, o->libraries[i].name, module);
  }
  if (e == ERR_NONE) libraries_prepare(libraries, whole);
  for (size_t i = 0; i < libraries->modules.count; i++) {
    if (e == ERR_NONE)
      e = link_into(&whole, libraries->modules.data[i], libraries->names.data[i], messages, d);
    else
      LLVMDisposeModule(libraries->modules.data[i]);
  }
  return e;
}

enum err link_program(LLVMContextRef context, const struct load_options *o, LLVMModuleRef *module, struct diag *d) {
  struct text messages = {0};
  LLVMContextSetDiagnosticHandler(context, on_diagnostic, &messages);
  struct libraries libraries = {0};
  size_t nprogram = o->nlibraries ? o->libraries[0].first : o->ninputs;
  enum err e = link_inputs(context, o, 0, nprogram, module, &messages, d);
  if (e == ERR_NONE && o->operations) e = operations_prepare(*module, o->inputs[0], d);
  LLVMValueRef main_function = e == ERR_NONE && !o->operations ? LLVMGetNamedFunction(*module, "main") : NULL;
  if (e == ERR_NONE && !o->operations && (!main_function || LLVMIsDeclaration(main_function)))
    e = diag_set(d, ERR_FORMAT, "no function 'main' in %s%s", o->inputs[0], nprogram > 1 ? " and the other inputs" : "");
  if (e == ERR_NONE) e = link_libraries(context, o, *module, &libraries, &messages, d);
  if (e == ERR_NONE) e = link_models(context, o, *module, &libraries, &messages, d);
  libraries_release(&libraries);
  if (e == ERR_NONE) {
    allow_passes(*module);
    locked_replace(*module);
    undefined_mark(*module);
    bounds_keep(*module);
    e = run_passes(o, *module, d);
  }
  if (e == ERR_NONE) undefined_settle(*module);
  if (e == ERR_NONE) LLVMSetIsNewDbgInfoFormat(*module, 0);
  LLVMContextSetDiagnosticHandler(context, NULL, NULL);
  text_release(&messages);
  return e;
}
