#include "weave/loops.h"

#include <stdlib.h>

static int by_address(const void *a, const void *b) {
  uintptr_t x = (uintptr_t)((const struct loops_block *)a)->block, y = (uintptr_t)((const struct loops_block *)b)->block;
  return x < y ? -1 : x > y;
}

static struct loops_block *find(const struct loops *l, LLVMBasicBlockRef b) {
  const struct loops_block key = {.block = b};
  return l->blocks.count ? bsearch(&key, l->blocks.data, l->blocks.count, sizeof key, by_address) : NULL;
}

static void enter(struct loops *l, struct loops_block *b) {
  b->number = b->low = ++l->numbers;
  b->open = true;
  *vec_push(&l->way) = (uint32_t)(b - l->blocks.data);
  *vec_push(&l->open) = (uint32_t)(b - l->blocks.data);
}

static void take_low(struct loops_block *b, uint32_t low) {
  if (low < b->low) b->low = low;
}

/* All behind b has been looked at. What is open above it is a component with it. */
static void leave(struct loops *l, struct loops_block *b) {
  (void)vec_pop(&l->way);
  if (l->way.count) take_low(&l->blocks.data[vec_last(&l->way)], b->low);
  if (b->low != b->number) return;
  bool several = &l->blocks.data[vec_last(&l->open)] != b;
  for (struct loops_block *member = NULL; member != b;) {
    member = &l->blocks.data[vec_pop(&l->open)];
    member->open = false;
    member->looped |= several;
  }
}

static void search(struct loops *l, struct loops_block *from) {
  enter(l, from);
  while (l->way.count) {
    struct loops_block *b = &l->blocks.data[vec_last(&l->way)];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b->block);
    if (b->next == LLVMGetNumSuccessors(end)) {
      leave(l, b);
      continue;
    }
    struct loops_block *to = find(l, LLVMGetSuccessor(end, b->next++));
    if (to == b) b->looped = true;
    if (to->number == 0)
      enter(l, to);
    else if (to->open)
      take_low(b, to->number);
  }
}

void loops_find(struct loops *l, LLVMValueRef f) {
  loops_clear(l);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
    *vec_push(&l->blocks) = (struct loops_block){.block = b};
  qsort(l->blocks.data, l->blocks.count, sizeof *l->blocks.data, by_address);
  for (size_t i = 0; i < l->blocks.count; i++)
    if (l->blocks.data[i].number == 0) search(l, &l->blocks.data[i]);
}

size_t loops_index(const struct loops *l, LLVMBasicBlockRef b) { return (size_t)(find(l, b) - l->blocks.data); }

bool loops_contain(const struct loops *l, LLVMBasicBlockRef b) {
  const struct loops_block *found = find(l, b);
  return found && found->looped;
}

void loops_clear(struct loops *l) {
  vec_clear(&l->blocks);
  l->numbers = 0;
}
void loops_release(struct loops *l) {
  vec_release(&l->blocks);
  vec_release(&l->way);
  vec_release(&l->open);
}
