#include "weave/native.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Error.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

#include "base/vec.h"
#include "program/named_calls.h"
#include "weave/paths.h"
#include "weave/paths_native.h"
#include "weave/weave.h"

/* One after the other, each with its end. */
struct names {
  char *data;
  size_t count, cap;
};

/* Names of inline.c and checks.c for what is done often, and ThreadSanitizer's for the rest. */
static const struct weave_hooks hooks = {
    .enter = "__heddle_near_enter",
    .leave = "__heddle_near_leave",
    .caught = "__heddle_near_caught",
    .read = "__heddle_near_read",
    .write = "__heddle_near_write",
    .looped_read = "__heddle_looped_read",
    .looped_write = "__heddle_looped_write",
    .unaligned_read = "__heddle_near_unaligned_read",
    .unaligned_write = "__heddle_near_unaligned_write",
    .range_read = "__tsan_read_range",
    .range_write = "__tsan_write_range",
    .run_read = "__heddle_run_read",
    .run_write = "__heddle_run_write",
    .copy = "__tsan_memcpy",
    .move = "__tsan_memmove",
    .fill = "__tsan_memset",
    .vptr_read = "__heddle_near_read8",
    .vptr_write = "__tsan_vptr_update",
    .atomic = "__tsan_atomic",
    .thread_fence = "__tsan_atomic_thread_fence",
    .signal_fence = "__tsan_atomic_signal_fence",
};

/* Functions of runtime/record. */
static const struct weave_hooks recording_hooks = {
    .range_read = "__tsan_read_range",
    .range_write = "__tsan_write_range",
    .copy = "__tsan_memcpy",
    .move = "__tsan_memmove",
    .fill = "__tsan_memset",
    .atomic = "__tsan_atomic",
    .thread_fence = "__tsan_atomic_thread_fence",
    .signal_fence = "__tsan_atomic_signal_fence",
    .value_read = "__heddle_record_read",
    .value_write = "__heddle_record_write",
    .value_if_read = "__heddle_record_if_read",
    .value_if_write = "__heddle_record_if_write",
    .branch = "__heddle_record_branch",
    .use = "__heddle_record_use",
    .copied_read = "__heddle_recorder_copied_read",
    .copied_write = "__heddle_recorder_copied_write",
    .leaves = "__heddle_record_leaves",
    .outside_calls = "__heddle_record_calls",
    .outside_returns = "__heddle_record_returns",
    .entered = "__heddle_record_entered",
    .left = "__heddle_record_left",
    .resumes = "__heddle_recorder_resumes",
    .update_begins = "__heddle_recorder_update_begins",
    .update_ends = "__heddle_recorder_update_ends",
    .assembler_begins = "__heddle_recorder_assembler_begins",
    .assembler_ends = "__heddle_recorder_assembler_ends",
    .sites = "__heddle_recorder_names",
};

static const struct named_calls_hooks call_hooks = {
    .call = "__heddle_recorder_call",
    .returns = "__heddle_recorder_return",
    .known = "__heddle_recorder_known",
};

/* Functions of runtime/enforce, where there is a difference. */
static struct weave_hooks enforcing_hooks(void) {
  struct weave_hooks h = recording_hooks;
  h.value_read = "__heddle_enforce_read", h.value_write = "__heddle_enforce_write";
  h.value_if_read = "__heddle_enforce_if_read", h.value_if_write = "__heddle_enforce_if_write";
  h.access_done = "__heddle_enforce_done";
  h.copied_read = h.copied_write = NULL;
  h.branch = h.use = NULL;
  h.outside_calls = h.outside_returns = h.entered = h.left = NULL;
  return h;
}

static LLVMModuleRef read_checks(LLVMModuleRef module, const char *path) {
  LLVMMemoryBufferRef bytes;
  LLVMModuleRef checks = NULL;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &bytes, &message)) {
    LLVMDisposeMessage(message);
    return NULL;
  }
  bool failed = LLVMParseBitcodeInContext2(LLVMGetModuleContext(module), bytes, &checks);
  LLVMDisposeMemoryBuffer(bytes);
  return failed ? NULL : checks;
}

/* The functions of the module that have a body. */
static void list_functions(LLVMModuleRef module, struct names *out) {
  size_t length;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f)) continue;
    const char *name = LLVMGetValueName2(f, &length);
    memcpy(vec_push_n(out, length + 1), name, length + 1);
  }
}

/* What is inlined is the module's alone. Of what is called, and not called at all in most modules, the linker keeps one copy. */
static void make_own(LLVMModuleRef module, const struct names *names) {
  unsigned inlined = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
  for (size_t i = 0; i < names->count; i += strlen(names->data + i) + 1) {
    LLVMValueRef f = LLVMGetNamedFunction(module, names->data + i);
    if (LLVMGetEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, inlined)) {
      LLVMSetLinkage(f, LLVMInternalLinkage);
      continue;
    }
    LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
    LLVMSetVisibility(f, LLVMHiddenVisibility);
    LLVMSetComdat(f, LLVMGetOrInsertComdat(module, names->data + i));
  }
}

/* The checks come into the module as functions of its own; those of loops vanish as they are inlined. What they call stays. */
static const char *inline_checks(LLVMModuleRef module, const char *path) {
  struct names names = {0};
  LLVMModuleRef checks = read_checks(module, path);
  if (!checks) return "the checks cannot be read";
  LLVMSetTarget(checks, LLVMGetTarget(module));
  LLVMSetDataLayout(checks, LLVMGetDataLayoutStr(module));
  list_functions(checks, &names);
  bool failed = LLVMLinkModules2(module, checks);
  if (!failed) make_own(module, &names);
  vec_release(&names);
  if (failed) return "the checks do not fit into the module";
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, "always-inline,globaldce", NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error) return NULL;
  LLVMConsumeError(error);
  return "the checks cannot be inlined";
}

/* The functions of inline.c and checks.c, which have one parameter, keep all registers but a few. A call of one of the latter goes through
 * no stub of the linker's, which would keep less. */
static void keep_registers(LLVMModuleRef module, bool recording) {
  const char *prefix = recording ? "__heddle_record_" : "__heddle_";
  enum { PRESERVE_MOST = 14 };
  LLVMContextRef c = LLVMGetModuleContext(module);
  LLVMAttributeRef direct = LLVMCreateEnumAttribute(c, LLVMGetEnumAttributeKindForName("nonlazybind", 11), 0);
  size_t length;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    const char *name = LLVMGetValueName2(f, &length);
    if (strncmp(name, prefix, strlen(prefix)) != 0 || (!recording && LLVMCountParams(f) != 1)) continue;
    LLVMSetFunctionCallConv(f, PRESERVE_MOST);
    if (LLVMIsDeclaration(f)) LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, direct);
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
      LLVMValueRef call = LLVMGetUser(u);
      if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == f) LLVMSetInstructionCallConv(call, PRESERVE_MOST);
    }
  }
}

const char *native_weave(LLVMModuleRef module, struct weave_analyses *analyses, const char *path) {
  weave_module(module, &hooks, analyses);
  const char *error = inline_checks(module, path);
  keep_registers(module, false);
  return error;
}

void native_weave_recording(LLVMModuleRef module, bool enforcing, bool strangers) {
  struct weave_hooks h = enforcing ? enforcing_hooks() : recording_hooks;
  h.strangers = strangers;
  weave_module(module, &h, NULL);
  keep_registers(module, true);
}

const char *native_weave_paths(LLVMModuleRef module, const char *bitcode, enum path_how how) {
  paths_weave(module, how);
  if (LLVMWriteBitcodeToFile(module, bitcode) != 0) return "the bitcode cannot be written";
  paths_native(module);
  return NULL;
}

void native_weave_calls(LLVMModuleRef module, const char *names) { named_calls_weave(module, names, &call_hooks); }
