/* Two ways back into a function that its jumps do not show:
 *
 *   - longjmp() comes back behind a call of setjmp(), from wherever its thread stands: in this function or in one that it has called. What
 *     is live behind the setjmp() is live everywhere in its function (`again`).
 *   - An exception leaves a call before it has a result. What is live in the call's landing pad is live before the call, even in the slots
 *     of the result. */
#include "program/liveness.h"

#include <string.h>

#include "program/opcode.h"

void liveness_init(struct liveness *l, const struct image *image) { *l = (struct liveness){.image = image}; }

void liveness_release(struct liveness *l) {
  hashmap_release(&l->points);
  hashmap_release(&l->functions);
  vec_release(&l->lists);
  vec_release(&l->sets);
}

/* A set of slots being built, by bit. */
struct live_set {
  uint64_t *words;
  uint32_t slots; /* of the function; others (constants) do not count */
};

static void add(struct live_set *s, uint32_t slot, uint32_t n) {
  for (; n > 0; n--, slot++)
    if (slot < s->slots) s->words[slot / 64] |= 1ull << (slot % 64);
}

static void kill_slots(struct live_set *s, uint32_t slot, uint32_t n) {
  for (; n > 0; n--, slot++)
    if (slot < s->slots) s->words[slot / 64] &= ~(1ull << (slot % 64));
}

static uint32_t layout_slots(const struct image *image, uint32_t layout) {
  const struct image_layout *x = &image->layouts[layout];
  uint32_t n = 0;
  for (uint32_t i = 0; i < x->count; i++) n += image->leaves[x->first + i].kind == LEAF_WIDE ? 2 : 1;
  return n;
}

static bool is_call(const union insn *p) { return p->op >= OP_CALL && p->op <= OP_CALLIV; }

static void call_uses(struct live_set *s, const union insn *p) {
  for (uint32_t i = 0; i < p->b; i++) add(s, p[2].slots[i], 1);
  if (p->op == OP_CALLI || p->op == OP_CALLIV) add(s, p[1].lo, 1);
  if (p->op != OP_CALLV && p->op != OP_CALLIV) return;
  const union insn *v = p + 2 + (p->b + 3) / 4;
  for (uint32_t n = v->hi, i = 0; i < n; i++) add(s, v[1 + 2 * i].slots[0], 4); /* its layout may take several */
}

static void plain_operand(struct live_set *s, char letter, uint16_t slot, bool uses) {
  uint32_t n = letter == 'D' || letter == 'S' ? 2 : 1;
  if (uses && (letter == 's' || letter == 'S')) add(s, slot, n);
  if (!uses && (letter == 'd' || letter == 'D')) kill_slots(s, slot, n);
}

/* Takes the set from behind the instruction to before it. */
static void step_back(const struct image *image, const union insn *p, struct live_set *s) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
  switch ((enum opcode)p->op) {
    case OP_CALL:
    case OP_CALLX:
    case OP_CALLI:
    case OP_CALLV:
    case OP_CALLIV:
      kill_slots(s, p->a, p->c);
      call_uses(s, p);
      return;
    case OP_MOVN:
      kill_slots(s, p->a, p->c);
      add(s, p->b, p->c);
      return;
    case OP_SELECT:
    case OP_SELECTN: {
      uint32_t n = p->op == OP_SELECT ? 1 : p[1].hi;
      kill_slots(s, p->a, n);
      add(s, p->b, 1), add(s, p->c, n), add(s, p[1].lo, n);
      return;
    }
    case OP_LDN:
      kill_slots(s, p->a, layout_slots(image, p[1].lo));
      add(s, p->b, 1);
      return;
    case OP_STN:
      add(s, p->a, layout_slots(image, p[1].lo)), add(s, p->b, 1);
      return;
    case OP_PACK:
      kill_slots(s, p->a, layout_slots(image, p[1].hi));
      add(s, p->b, layout_slots(image, p[1].lo));
      return;
    case OP_EXTRACTX:
      kill_slots(s, p->a, p[1].lo);
      add(s, p->b, p[1].lo * p[1].hi), add(s, p->c, 1);
      return;
    case OP_INSERTX:
      add(s, p->a, p[1].lo * p[1].hi), add(s, p->b, p[1].lo), add(s, p->c, 1);
      return;
    case OP_WCONV:
      kill_slots(s, p->a, 1);
      add(s, p->b, 2);
      return;
    case OP_ATOMIC_CAS:
      kill_slots(s, p->a, 2);
      add(s, p->b, 1), add(s, p->c, 1), add(s, p[1].lo, 1);
      return;
    case OP_RET:
      add(s, p->a, p->b);
      return;
    case OP_INTR:
      kill_slots(s, p->a, 1);
      for (uint32_t i = 0; i < p->b; i++) add(s, p[2].slots[i], 1);
      return;
    default:
      break;
  }
#pragma GCC diagnostic pop
  const char *operands = opcode_table[p->op].operands;
  const uint16_t slots[3] = {p->a, p->b, p->c};
  for (unsigned i = 0; i < 3; i++) plain_operand(s, operands[i], slots[i], false);
  for (unsigned i = 0; i < 3; i++) plain_operand(s, operands[i], slots[i], true);
}

/* --- control flow --- */

static bool is_jump(uint16_t op) { return op >= OP_JNZ && op <= OP_JSGTI64; }
static bool ends_block(uint16_t op) {
  return op == OP_JMP || is_jump(op) || op == OP_SWITCH || op == OP_SWITCHD || op == OP_IBR || op == OP_RET || op == OP_UNREACHABLE ||
         op == OP_REFUSE || op == OP_RESUME;
}

typedef void target_function(void *context, uint32_t target);

/* Calls `each` for the code index of every instruction that may run after the one at `pc`. IBR is the caller's business. */
static void successors(const struct image *image, uint32_t pc, target_function *each, void *context) {
  const union insn *p = image->code + pc;
  uint32_t next = pc + insn_words(p);
  if (is_call(p) && p[1].hi) each(context, image->pads[p[1].hi - 1].target);
  if (p->op == OP_JMP) {
    each(context, (uint32_t)((int64_t)pc + (int64_t)p[1].word));
  } else if (is_jump(p->op)) {
    each(context, (uint32_t)((int64_t)pc + (int16_t)p->c));
    each(context, next);
  } else if (p->op == OP_SWITCH) {
    for (uint32_t i = 0; i < p[1].hi; i++) each(context, image->cases[p[1].lo + i].target);
    each(context, p[2].lo);
  } else if (p->op == OP_SWITCHD) {
    for (uint32_t i = 0; i < p[1].hi; i++) each(context, image->targets[p[1].lo + i]);
    each(context, p[2].lo);
  } else if (!ends_block(p->op)) {
    each(context, next);
  }
}

/* One function under analysis. */
struct work {
  struct liveness *l;
  const struct image_function *f;
  uint32_t *block_of; /* by offset in the function: 1 + block that begins there */
  VEC(uint32_t) starts;
  uint64_t *live;  /* live-in of each block */
  uint64_t *again; /* live behind a call of setjmp(): everywhere; lies behind the blocks' sets */
  uint32_t words;  /* of one set */
  uint64_t *now;   /* the set being computed */
};

static void unite(struct work *w, const uint64_t *with) {
  for (uint32_t i = 0; i < w->words; i++) w->now[i] |= with[i];
}

static void mark_start(void *context, uint32_t target) {
  struct work *w = context;
  w->block_of[target - w->f->code] = 1;
}

static void join_target(void *context, uint32_t target) {
  struct work *w = context;
  unite(w, w->live + (size_t)(w->block_of[target - w->f->code] - 1) * w->words);
}

static void find_blocks(struct work *w) {
  const struct image *image = w->l->image;
  w->block_of[0] = 1;
  for (uint32_t pc = w->f->code; pc < w->f->code + w->f->ncode; pc += insn_words(image->code + pc)) {
    const union insn *p = image->code + pc;
    if (ends_block(p->op) || (is_call(p) && p[1].hi)) {
      uint32_t next = pc + insn_words(p);
      if (next < w->f->code + w->f->ncode) mark_start(w, next);
      successors(image, pc, mark_start, w);
    }
  }
  for (uint32_t i = 0; i < w->f->ncode; i++)
    if (w->block_of[i]) *vec_push(&w->starts) = w->f->code + i, w->block_of[i] = (uint32_t)w->starts.count;
}

/* The live set behind the instruction at `pc` that ends its block (or whose successor begins another). */
static void live_out(struct work *w, uint32_t pc) {
  memset(w->now, 0, w->words * sizeof *w->now);
  if (w->l->image->code[pc].op == OP_IBR) {
    for (size_t b = 0; b < w->starts.count; b++) join_target(w, w->starts.data[b]);
    return;
  }
  successors(w->l->image, pc, join_target, w);
}

static uint32_t block_end(const struct work *w, size_t b) {
  return b + 1 < w->starts.count ? w->starts.data[b + 1] : w->f->code + w->f->ncode;
}

static bool is_setjmp(const struct image *image, const union insn *p) {
  return p->op == OP_CALLX && strstr(image_string(image, image->externs[p[1].lo].name), "setjmp");
}

/* w->now is what is live behind the call of setjmp() at `p`, which a second return finds there but for the call's result. */
static void return_again(struct work *w, const union insn *p) {
  for (uint32_t i = 0; i < w->words; i++) {
    uint64_t result = 0;
    for (uint32_t slot = p->a; slot < p->a + (uint32_t)p->c; slot++)
      if (slot / 64 == i) result |= 1ull << (slot % 64);
    w->again[i] |= w->now[i] & ~result;
  }
}

/* Takes w->now from behind the instruction at `pc` to before it. */
static void walk_insn(struct work *w, uint32_t pc) {
  const struct image *image = w->l->image;
  const union insn *p = image->code + pc;
  struct live_set set = {w->now, w->f->slots};
  if (is_setjmp(image, p)) return_again(w, p);
  step_back(image, p, &set);
  if (is_call(p) && p[1].hi) join_target(w, image->pads[p[1].hi - 1].target);
  unite(w, w->again);
}

/* Walks block b backwards from its end to just before `stop` (or, with after, to just behind it); the result is in w->now. */
static void walk_back(struct work *w, size_t b, uint32_t stop, bool after) {
  VEC(uint32_t) pcs = {0};
  for (uint32_t pc = w->starts.data[b]; pc < block_end(w, b); pc += insn_words(w->l->image->code + pc)) *vec_push(&pcs) = pc;
  live_out(w, vec_last(&pcs));
  unite(w, w->again);
  for (size_t i = pcs.count; i-- > 0;) {
    if (after && pcs.data[i] == stop) break;
    walk_insn(w, pcs.data[i]);
    if (pcs.data[i] == stop) break;
  }
  vec_release(&pcs);
}

/* Sets only grow from round to round, w->again with them. */
static void solve(struct work *w) {
  VEC(uint64_t) before = {0};
  (void)vec_push_n(&before, w->words);
  for (bool changed = true; changed;) {
    changed = false;
    memcpy(before.data, w->again, w->words * sizeof *w->again);
    for (size_t b = w->starts.count; b-- > 0;) {
      walk_back(w, b, w->starts.data[b], false);
      uint64_t *live = w->live + b * w->words;
      if (memcmp(live, w->now, w->words * sizeof *live) == 0) continue;
      memcpy(live, w->now, w->words * sizeof *live);
      changed = true;
    }
    changed |= memcmp(before.data, w->again, w->words * sizeof *w->again) != 0;
  }
  vec_release(&before);
}

/* Finds the blocks of `function` and, once, their live-in sets (kept in l->sets). */
static void analyse(struct liveness *l, uint32_t function, struct work *w) {
  const struct image_function *f = &l->image->functions[function];
  *w = (struct work){.l = l, .f = f, .words = f->slots / 64 + 1};
  w->block_of = mem_alloc(f->ncode * sizeof *w->block_of);
  w->now = mem_alloc(w->words * sizeof *w->now);
  find_blocks(w);
  size_t blocks = w->starts.count * w->words, total = blocks + w->words;
  uint64_t *known = hashmap_find(&l->functions, function);
  if (known) {
    w->live = l->sets.data + *known;
    w->again = w->live + blocks;
    return;
  }
  w->live = mem_alloc(total * sizeof *w->live);
  w->again = w->live + blocks;
  solve(w);
  size_t at = l->sets.count;
  memcpy(vec_push_n(&l->sets, total), w->live, total * sizeof *w->live);
  mem_free(w->live, total * sizeof *w->live);
  w->live = l->sets.data + at;
  w->again = w->live + blocks;
  hashmap_at(&l->functions, function, at, NULL);
}

/* `call`: of a call in progress; NULL: none. Its result is still to come, but not for its landing pad. */
static size_t add_list(struct liveness *l, struct work *w, const union insn *call) {
  struct live_set set = {w->now, w->f->slots};
  if (call) {
    kill_slots(&set, call->a, call->c);
    if (call[1].hi) join_target(w, l->image->pads[call[1].hi - 1].target);
    unite(w, w->again);
  }
  size_t at = l->lists.count;
  *vec_push(&l->lists) = 0;
  for (uint32_t s = 0; s < w->f->slots; s++)
    if (w->now[s / 64] >> (s % 64) & 1) *vec_push(&l->lists) = (uint16_t)s;
  l->lists.data[at] = (uint16_t)(l->lists.count - at - 1);
  return at;
}

const uint16_t *liveness_at(struct liveness *l, uint32_t function, uint32_t pc, bool after_call, uint32_t *count) {
  uint64_t *known = hashmap_find(&l->points, (uint64_t)pc * 2 + after_call);
  size_t at;
  if (known) {
    at = *known;
  } else {
    struct work w;
    analyse(l, function, &w);
    size_t b = 0;
    while (b + 1 < w.starts.count && w.starts.data[b + 1] <= pc) b++;
    walk_back(&w, b, pc, after_call);
    const union insn *p = l->image->code + pc;
    at = add_list(l, &w, after_call && is_call(p) ? p : NULL);
    hashmap_at(&l->points, (uint64_t)pc * 2 + after_call, at, NULL);
    mem_free(w.block_of, w.f->ncode * sizeof *w.block_of);
    mem_free(w.now, w.words * sizeof *w.now);
    vec_release(&w.starts);
  }
  *count = l->lists.data[at];
  return l->lists.data + at + 1;
}
