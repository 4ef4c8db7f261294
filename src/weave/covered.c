#include "weave/covered.h"

/* Of a long block only the latest accesses are remembered, so that the search does not become long. */
enum { MOST = 64 };

bool covered_ends(LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  if (op == LLVMCall || op == LLVMInvoke || op == LLVMCallBr) return !LLVMIsAIntrinsicInst(i);
  if (op == LLVMLoad || op == LLVMStore) return LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
  return op == LLVMFence || op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg;
}

static bool is_written(const struct covered *c, LLVMValueRef address, uint64_t size) {
  for (size_t i = 0; i < c->accesses.count; i++)
    if (c->accesses.data[i].address == address && c->accesses.data[i].size >= size) return true;
  return false;
}

void covered_begin(struct covered *c, LLVMBasicBlockRef block, LLVMTargetDataRef data, unsigned unwatched) {
  vec_clear(&c->accesses);
  vec_clear(&c->rewritten);
  for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = LLVMGetPreviousInstruction(i)) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (covered_ends(i))
      vec_clear(&c->accesses);
    else if (op == LLVMStore && c->accesses.count < MOST && !LLVMGetMetadata(i, unwatched))
      *vec_push(&c->accesses) =
          (struct covered_access){LLVMGetOperand(i, 1), LLVMStoreSizeOfType(data, LLVMTypeOf(LLVMGetOperand(i, 0))), true};
    else if (op == LLVMLoad && is_written(c, LLVMGetOperand(i, 0), LLVMStoreSizeOfType(data, LLVMTypeOf(i))))
      *vec_push(&c->rewritten) = i;
  }
  vec_clear(&c->accesses);
}

bool covered_by_later(struct covered *c, LLVMValueRef read) {
  if (c->rewritten.count == 0 || vec_last(&c->rewritten) != read) return false;
  (void)vec_pop(&c->rewritten);
  return true;
}

bool covered_by_earlier(struct covered *c, LLVMValueRef address, uint64_t size, bool writes) {
  for (size_t i = c->accesses.count; i-- > 0;) {
    struct covered_access *a = &c->accesses.data[i];
    if (a->address == address && a->size >= size && (a->written || !writes)) return true;
  }
  struct covered_access new = {address, size, writes};
  if (c->accesses.count < MOST) {
    *vec_push(&c->accesses) = new;
    return false;
  }
  for (size_t i = 1; i < MOST; i++) c->accesses.data[i - 1] = c->accesses.data[i];
  c->accesses.data[MOST - 1] = new;
  return false;
}

void covered_forget(struct covered *c) { vec_clear(&c->accesses); }
void covered_release(struct covered *c) {
  vec_release(&c->accesses);
  vec_release(&c->rewritten);
}
