/* Control flow: successors, what is reachable, what lies in a loop. */
#include "program/lower/lower.h"

static void add_block(struct fn *f, uint32_t i) {
  struct block *b = &f->blocks.data[i];
  b->first_succ = (uint32_t)f->succs.count;
  b->terminator = LLVMGetBasicBlockTerminator(b->bb);
  unsigned n = LLVMGetNumSuccessors(b->terminator);
  for (unsigned k = 0; k < n; k++) {
    uint32_t to = fn_block_id(f, LLVMGetSuccessor(b->terminator, k));
    *vec_push(&f->succs) = to;
    LLVMValueRef first = LLVMGetFirstInstruction(f->blocks.data[to].bb);
    if (LLVMGetInstructionOpcode(b->terminator) == LLVMIndirectBr && LLVMGetInstructionOpcode(first) == LLVMPHI)
      f->blocks.data[to].stub = true;
  }
  b->nsuccs = n;
}

struct frame {
  uint32_t block, next;
};

/* Tarjan's strongly connected components, iterative: a block in a component of several, or with an edge to itself, lies in a loop. */
static void find_loops(struct fn *f) {
  uint32_t n = (uint32_t)f->blocks.count, counter = 0, top = 0, depth = 0;
  uint32_t *index = mem_alloc(n * 4 * sizeof *index);
  uint32_t *low = index + n, *stack = low + n, *on_stack = stack + n;
  struct frame *frames = mem_alloc(n * sizeof *frames);
  frames[depth++] = (struct frame){0, 0};
  while (depth > 0) {
    struct frame *fr = &frames[depth - 1];
    uint32_t b = fr->block;
    struct block *block = &f->blocks.data[b];
    if (fr->next == 0 && index[b] == 0) {
      index[b] = low[b] = ++counter, stack[top++] = b, on_stack[b] = 1, block->reachable = true;
    }
    if (fr->next < block->nsuccs) {
      uint32_t s = f->succs.data[block->first_succ + fr->next++];
      if (s == b) block->loop = true;
      if (index[s] == 0)
        frames[depth++] = (struct frame){s, 0};
      else if (on_stack[s] && index[s] < low[b])
        low[b] = index[s];
      continue;
    }
    if (low[b] == index[b]) {
      uint32_t members = 0;
      for (uint32_t k = top; stack[k - 1] != b; k--) members++;
      for (uint32_t k = 0; k <= members; k++) {
        uint32_t m = stack[--top];
        on_stack[m] = 0;
        if (members) f->blocks.data[m].loop = true;
      }
    }
    if (--depth > 0 && low[b] < low[frames[depth - 1].block]) low[frames[depth - 1].block] = low[b];
  }
  mem_free(frames, n * sizeof *frames);
  mem_free(index, n * 4 * sizeof *index);
}

void flow_analyse(struct fn *f) {
  for (uint32_t i = 0; i < f->blocks.count; i++) add_block(f, i);
  find_loops(f);
}
