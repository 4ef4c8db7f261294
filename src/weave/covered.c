#include "weave/covered.h"

#include <string.h>

#include "weave/vptr.h"

enum { MOST = 64, MOST_WORDS = 1 << 17 }; /* writes that are looked for behind a read; size of all sets of a function */

/* Sets of a block: accesses that are made on each way to it; that it makes itself and that count at its end; whose addresses it computes,
 * so that they are others from then on. And those that count at its end no more, though they did before it: all or none. */
enum { BEFORE, AT_END, COMPUTED, STAY, SETS };

bool covered_ends(LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  if (op == LLVMCall || op == LLVMInvoke || op == LLVMCallBr) return !LLVMIsAIntrinsicInst(i);
  if (op == LLVMLoad || op == LLVMStore) return LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
  return op == LLVMFence || op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg;
}

/* --- accesses by their addresses --- */

static uint32_t *bucket_of(struct covered *c, LLVMValueRef address) {
  return &c->buckets.data[((uintptr_t)address >> 4) * 0x9e3779b97f4a7c15ull >> 32 & (c->buckets.count - 1)];
}

static void grow(struct covered *c) {
  size_t n = c->buckets.count ? c->buckets.count * 2 : 64;
  vec_clear(&c->buckets);
  memset(vec_push_n(&c->buckets, n), 0, n * sizeof(uint32_t));
  for (size_t i = 0; i < c->accesses.count; i++) {
    uint32_t *bucket = bucket_of(c, c->accesses.data[i].address);
    c->accesses.data[i].next = *bucket, *bucket = (uint32_t)i + 1;
  }
}

/* The number of the first or next access of its bucket, plus 1. */
static uint32_t first_of(struct covered *c, LLVMValueRef address) { return c->buckets.count ? *bucket_of(c, address) : 0; }
static uint32_t next_of(const struct covered *c, uint32_t i) { return c->accesses.data[i - 1].next; }

static uint32_t number_of(struct covered *c, LLVMValueRef address, uint64_t size, bool writes) {
  for (uint32_t i = first_of(c, address); i; i = next_of(c, i)) {
    const struct covered_access *a = &c->accesses.data[i - 1];
    if (a->address == address && a->size == size && a->written == writes) return i - 1;
  }
  if (c->accesses.count >= c->buckets.count) grow(c);
  uint32_t *bucket = bucket_of(c, address);
  *vec_push(&c->accesses) = (struct covered_access){address, size, writes, *bucket};
  return (*bucket = (uint32_t)c->accesses.count) - 1;
}

/* True if the instruction is an access that counts. */
static bool read_access(const struct covered *c, LLVMValueRef i, LLVMValueRef *address, uint64_t *size, bool *writes) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  if (op != LLVMLoad && op != LLVMStore) return false;
  *writes = op == LLVMStore;
  *address = LLVMGetOperand(i, *writes ? 1 : 0);
  *size = LLVMStoreSizeOfType(c->kinds.data, LLVMTypeOf(*writes ? LLVMGetOperand(i, 0) : i));
  return !covered_ends(i) && !LLVMGetMetadata(i, c->kinds.unwatched) && !vptr_is_accessed(i, c->kinds.tbaa);
}

/* --- sets --- */

static uint64_t *set_of(const struct covered *c, size_t block, int which) {
  return c->sets.data + (block * SETS + (size_t)which) * c->words;
}
static void put(uint64_t *set, uint32_t i) { set[i / 64] |= 1ull << i % 64; }
static bool has(const uint64_t *set, uint32_t i) { return set[i / 64] >> i % 64 & 1; }
static void fill(uint64_t *set, size_t words, bool all) {
  if (words) memset(set, all ? 0xff : 0, words * sizeof *set);
}

static void list_accesses(struct covered *c, LLVMValueRef f) {
  LLVMValueRef address;
  uint64_t size;
  bool writes;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (read_access(c, i, &address, &size, &writes)) (void)number_of(c, address, size, writes);
}

/* What the block does by itself. */
static void look_at(struct covered *c, LLVMBasicBlockRef b, size_t block) {
  uint64_t *at_end = set_of(c, block, AT_END), *computed = set_of(c, block, COMPUTED), *stay = set_of(c, block, STAY);
  LLVMValueRef address;
  uint64_t size;
  bool writes;
  fill(stay, c->words, true);
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
    if (covered_ends(i)) fill(at_end, c->words, false), fill(stay, c->words, false);
    if (read_access(c, i, &address, &size, &writes)) put(at_end, number_of(c, address, size, writes));
    for (uint32_t k = first_of(c, i); k; k = next_of(c, k))
      if (c->accesses.data[k - 1].address == i) put(computed, k - 1);
  }
}

/* What counts behind the block counts before `next` only if it does so behind all that lead there. True if that is news. */
static bool hand_on(struct covered *c, size_t block, size_t next) {
  const uint64_t *before = set_of(c, block, BEFORE), *at_end = set_of(c, block, AT_END), *computed = set_of(c, block, COMPUTED);
  const uint64_t *stay = set_of(c, block, STAY);
  uint64_t *to = set_of(c, next, BEFORE), lost = 0;
  for (size_t k = 0; k < c->words; k++) {
    uint64_t behind = at_end[k] | (before[k] & stay[k] & ~computed[k]);
    lost |= to[k] & ~behind;
    to[k] &= behind;
  }
  return lost != 0;
}

static bool hand_all_on(struct covered *c, LLVMValueRef f, const struct loops *loops) {
  bool news = false;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
      news |= hand_on(c, loops_index(loops, b), loops_index(loops, LLVMGetSuccessor(end, k)));
  }
  return news;
}

void covered_find(struct covered *c, LLVMValueRef f, const struct loops *loops, struct covered_kinds kinds) {
  c->kinds = kinds;
  vec_clear(&c->accesses);
  vec_clear(&c->buckets);
  vec_clear(&c->sets);
  list_accesses(c, f);
  c->words = (c->accesses.count + 63) / 64;
  size_t all = c->words * SETS * loops->blocks.count;
  if (all == 0 || all > MOST_WORDS) return;
  fill(vec_push_n(&c->sets, all), all, false);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
    look_at(c, b, loops_index(loops, b));
    fill(set_of(c, loops_index(loops, b), BEFORE), c->words, b != LLVMGetEntryBasicBlock(f));
  }
  while (hand_all_on(c, f, loops)) continue;
}

/* --- what the weaver asks --- */

static bool is_written(LLVMValueRef *addresses, uint64_t *sizes, size_t n, LLVMValueRef address, uint64_t size) {
  for (size_t i = 0; i < n; i++)
    if (addresses[i] == address && sizes[i] >= size) return true;
  return false;
}

static void find_rewritten(struct covered *c, LLVMBasicBlockRef block) {
  LLVMValueRef written[MOST], address;
  uint64_t sizes[MOST], size;
  size_t n = 0;
  bool writes;
  vec_clear(&c->rewritten);
  for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = LLVMGetPreviousInstruction(i)) {
    if (covered_ends(i)) n = 0;
    if (!read_access(c, i, &address, &size, &writes)) continue;
    if (writes && n < MOST)
      written[n] = address, sizes[n++] = size;
    else if (!writes && is_written(written, sizes, n, address, size))
      *vec_push(&c->rewritten) = i;
  }
}

void covered_begin(struct covered *c, const struct loops *loops, LLVMBasicBlockRef block) {
  size_t index = loops_index(loops, block);
  vec_clear(&c->now);
  fill(vec_push_n(&c->now, c->words), c->words, false);
  for (size_t k = 0; c->sets.count && k < c->words; k++) c->now.data[k] = set_of(c, index, BEFORE)[k] & ~set_of(c, index, COMPUTED)[k];
  find_rewritten(c, block);
}

bool covered_by_later(struct covered *c, LLVMValueRef read) {
  if (c->rewritten.count == 0 || vec_last(&c->rewritten) != read) return false;
  (void)vec_pop(&c->rewritten);
  return true;
}

bool covered_by_earlier(struct covered *c, LLVMValueRef address, uint64_t size, bool writes) {
  bool covered = false;
  for (uint32_t k = first_of(c, address); k; k = next_of(c, k)) {
    const struct covered_access *a = &c->accesses.data[k - 1];
    if (a->address != address) continue;
    covered |= has(c->now.data, k - 1) && a->size >= size && (a->written || !writes);
    if (a->size == size && a->written == writes) put(c->now.data, k - 1);
  }
  return covered;
}

void covered_forget(struct covered *c) { fill(c->now.data, c->words, false); }
void covered_release(struct covered *c) {
  vec_release(&c->accesses);
  vec_release(&c->buckets);
  vec_release(&c->sets);
  vec_release(&c->now);
  vec_release(&c->rewritten);
}
