#include "weave/paths.h"

#include "base/vec.h"
#include "weave/insert.h"
#include "weave/paths_alone.h"
#include "weave/paths_given.h"
#include "weave/paths_numbered.h"
#include "weave/settled.h"

struct weaving {
  struct insert in;
  struct locals locals;
  LLVMValueRef f;
  enum path_how how;
  struct paths_alone *alone;  /* NULL: what is done without other threads is told, too */
  VEC(LLVMValueRef) branches; /* of `f`, to be told */
};

static LLVMValueRef number(const struct weaving *w, uint64_t n) { return LLVMConstInt(w->in.integer, n, false); }

/* Else, whoever runs the thread again computes it. */
static bool is_told(struct weaving *w, LLVMValueRef by) { return w->how == PATH_HOW_ALL || !settled(&w->locals, by); }

static bool is_branch_told(struct weaving *w, LLVMValueRef i) {
  if (LLVMIsASwitchInst(i))
    return LLVMGetNumSuccessors(i) > 1 && LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(i, 0))) <= 64 && is_told(w, LLVMGetOperand(i, 0));
  return LLVMIsABranchInst(i) && LLVMIsConditional(i) && LLVMGetSuccessor(i, 0) != LLVMGetSuccessor(i, 1) &&
         is_told(w, LLVMGetCondition(i));
}

/* To append 0 is quicker: it says that a loop of one block goes on. */
static void weave_branch(struct weaving *w, LLVMValueRef i) {
  LLVMValueRef condition = LLVMGetCondition(i);
  insert_before(&w->in, w->f, i);
  if (LLVMGetSuccessor(i, 0) == LLVMGetInstructionParent(i)) condition = LLVMBuildNot(w->in.builder, condition, "");
  LLVMValueRef bit = LLVMBuildZExt(w->in.builder, condition, w->in.integer, "");
  insert_call(&w->in, PATHS_BIT, w->in.nothing, &bit, 1);
}

/* The smallest and the largest case, as unsigned numbers counted from the smallest one as a signed number. */
static void cases_of(LLVMValueRef i, int64_t *least, uint64_t *span) {
  int64_t most = INT64_MIN;
  *least = INT64_MAX;
  for (unsigned k = 1; k < LLVMGetNumSuccessors(i); k++) {
    int64_t value = LLVMConstIntGetSExtValue(LLVMGetOperand(i, 2 * k));
    if (value < *least) *least = value;
    if (value > most) most = value;
  }
  *span = (uint64_t)most - (uint64_t)*least;
}

/* As far as the lowest bits of `value`. */
static void weave_bits(struct weaving *w, LLVMValueRef value, uint32_t bits) {
  while (bits > PATH_NUMBERS) {
    LLVMValueRef half[] = {LLVMBuildLShr(w->in.builder, value, number(w, 32), ""), number(w, bits - 32)};
    insert_call(&w->in, PATHS_NUMBER, w->in.nothing, half, 2);
    value = LLVMBuildAnd(w->in.builder, value, number(w, UINT32_MAX), "");
    bits = 32;
  }
  LLVMValueRef arguments[] = {value, number(w, bits)};
  insert_call(&w->in, PATHS_NUMBER, w->in.nothing, arguments, 2);
}

static LLVMValueRef least_of(struct weaving *w, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildSelect(w->in.builder, LLVMBuildICmp(w->in.builder, LLVMIntULT, a, b, ""), a, b, "");
}

static void weave_switch(struct weaving *w, LLVMValueRef i) {
  LLVMValueRef value = LLVMGetOperand(i, 0);
  int64_t least;
  uint64_t span;
  insert_before(&w->in, w->f, i);
  cases_of(i, &least, &span);
  value = LLVMBuildSExt(w->in.builder, value, w->in.integer, "");
  LLVMValueRef from = LLVMBuildSub(w->in.builder, value, number(w, (uint64_t)least), "");
  uint64_t most = span == UINT64_MAX ? span : span + 1;
  weave_bits(w, least_of(w, from, number(w, most)), path_width(most));
}

static void weave_function(struct weaving *w, LLVMValueRef f) {
  w->f = f;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (LLVMIsACallInst(i)) paths_given(&w->in, f, i);
    }
  if (w->how == PATH_HOW_NUMBERS && paths_numbered(f, &w->locals)) return;
  vec_clear(&w->branches);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
    if (is_branch_told(w, last)) *vec_push(&w->branches) = last;
  }
  if (w->alone) paths_alone_copy(w->alone, f, w->branches.count);
  for (size_t i = 0; i < w->branches.count; i++) {
    LLVMValueRef branch = w->branches.data[i];
    LLVMIsASwitchInst(branch) ? weave_switch(w, branch) : weave_branch(w, branch);
  }
}

void paths_weave(LLVMModuleRef module, enum path_how how) {
  static const struct weave_hooks none = {0};
  struct weaving w = {.how = how};
  insert_begin(&w.in, module, &none);
  locals_begin(&w.locals, module, true);
  if (how == PATH_HOW_BITS) w.alone = paths_alone_new(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (insert_is_woven(f)) weave_function(&w, f);
  if (w.alone) paths_alone_free(w.alone);
  vec_release(&w.branches);
  insert_end(&w.in);
  locals_release(&w.locals);
}
