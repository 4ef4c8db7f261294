#include "weave/paths_given.h"

#include <string.h>

#include "weave/paths.h"

/* `argument`: of the buffer that is filled, -1: none is; with so many bytes, RETURNED: as many as the function returns. */
enum { RETURNED = 0 };
static const struct given {
  const char *name;
  int argument;
  unsigned size;
} functions[] = {
    {"clock", -1, 0},
    {"clock_getres", 1, 16},
    {"clock_gettime", 1, 16},
    {"get_nprocs", -1, 0},
    {"get_nprocs_conf", -1, 0},
    {"getegid", -1, 0},
    {"geteuid", -1, 0},
    {"getgid", -1, 0},
    {"getpgrp", -1, 0},
    {"getpid", -1, 0},
    {"getppid", -1, 0},
    {"getrandom", 0, RETURNED},
    {"gettid", -1, 0},
    {"gettimeofday", 0, 16},
    {"getuid", -1, 0},
    {"isatty", -1, 0},
    {"sched_getcpu", -1, 0},
    {"sysconf", -1, 0},
    {"time", 0, 8},
    {"timespec_get", 0, 16},
    {"_ZNSt13random_device9_M_getvalEv", -1, 0},
    {"_ZNSt6chrono3_V212steady_clock3nowEv", -1, 0},
    {"_ZNSt6chrono3_V212system_clock3nowEv", -1, 0},
    {"_ZNSt6thread20hardware_concurrencyEv", -1, 0},
};

static const struct given *find(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length;
  if (!LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee)) return NULL;
  const char *name = LLVMGetValueName2(callee, &length);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(functions[i].name, name) == 0) return &functions[i];
  return NULL;
}

static LLVMValueRef number(const struct insert *in, uint64_t n) { return LLVMConstInt(in->integer, n, false); }

/* All that used the result uses what RESULT returns. The result as a number of 64 bits, or NULL. */
static LLVMValueRef weave_result(struct insert *in, LLVMValueRef call, LLVMValueRef name) {
  LLVMTypeRef type = LLVMTypeOf(call);
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64) return NULL;
  unsigned width = LLVMGetIntTypeWidth(type);
  LLVMValueRef wide = LLVMBuildFreeze(in->builder, call, ""); /* the one use that is not replaced */
  LLVMValueRef arguments[] = {width < 64 ? LLVMBuildZExt(in->builder, wide, in->integer, "") : wide, number(in, width > 32 ? 64 : width),
                              name};
  LLVMValueRef given = insert_call(in, PATHS_RESULT, in->integer, arguments, 3);
  LLVMValueRef narrow = width < 64 ? LLVMBuildTrunc(in->builder, given, type, "") : given;
  LLVMReplaceAllUsesWith(call, narrow);
  LLVMSetOperand(wide, 0, call);
  return given;
}

/* A buffer that is not there is not filled. */
static void weave_bytes(struct insert *in, const struct given *g, LLVMValueRef call, LLVMValueRef result, LLVMValueRef name) {
  LLVMValueRef buffer = LLVMGetOperand(call, (unsigned)g->argument), zero = number(in, 0), size = number(in, g->size);
  if (g->size == RETURNED) {
    if (!result) return;
    size = LLVMBuildSelect(in->builder, LLVMBuildICmp(in->builder, LLVMIntSLT, result, zero, ""), zero, result, "");
  }
  size = LLVMBuildSelect(in->builder, LLVMBuildIsNull(in->builder, buffer, ""), zero, size, "");
  LLVMValueRef arguments[] = {buffer, size, name};
  insert_call(in, PATHS_BYTES, in->nothing, arguments, 3);
}

void paths_given(struct insert *in, LLVMValueRef f, LLVMValueRef call) {
  const struct given *g = find(call);
  if (!g || g->argument >= (int)LLVMGetNumArgOperands(call)) return;
  insert_before(in, f, LLVMGetNextInstruction(call));
  LLVMValueRef name = LLVMBuildGlobalStringPtr(in->builder, g->name, "");
  LLVMValueRef result = weave_result(in, call, name);
  if (g->argument >= 0) weave_bytes(in, g, call, result, name);
}
