#include "program/lower/analysis/dependence.h"

#include <string.h>

#include "program/lower/analysis/control_flow.h"
#include "program/lower/analysis/points.h"
#include "program/lower/lower.h"

enum node_kind {
  NODE_VALUE,   /* of an instruction or parameter */
  NODE_SITE,    /* what decides about an instruction's event */
  NODE_WRITTEN, /* what its written value is computed from */
  NODE_BLOCK,   /* what decides whether a block is executed, once its function is */
  NODE_BRANCH,  /* how it goes on behind the block */
  NODE_BEFORE,  /* what could have kept the thread from the block's begin */
  NODE_BEHIND,  /* from its end */
  NODE_MEMORY,  /* a class of memory */
  NODE_ENTRY,   /* of a function: what decides whether it is called */
  NODE_RESULT,
  NODE_RETURN,   /* what could keep it from returning */
  NODE_ARGUMENT, /* of functions that are called through pointers */
  NODE_POINTED   /* ENTRY and RETURN of those, by kind */
};

struct edge_pair {
  uint32_t from, to;
};

struct graph {
  struct lower *l;
  struct points points;
  struct control_flow flow;
  struct control_graph blocks;
  struct hashmap nodes, block_numbers;
  VEC(LLVMBasicBlockRef) block_list;
  VEC(struct edge_pair) edges;
  uint32_t n;
  /* The function and the instruction at hand. */
  LLVMValueRef f, v;
  LLVMBasicBlockRef block;
  uint32_t before; /* node: what could have kept the thread from the instruction */
};

/* --- nodes and edges --- */

static uint32_t node(struct graph *g, enum node_kind kind, uint64_t of) {
  bool is_new = false;
  uint32_t i = (uint32_t)*hashmap_at(&g->nodes, hash_pair(kind, of), g->n, &is_new);
  g->n += is_new;
  return i;
}

static uint32_t node_at(struct graph *g, enum node_kind kind, const void *of) { return node(g, kind, (uint64_t)(uintptr_t)of); }

static void edge(struct graph *g, uint32_t from, uint32_t to) {
  if (from != to && to != DEPEND_NONE) *vec_push(&g->edges) = (struct edge_pair){from, to};
}

/* The node of an operand: constants depend on nothing. */
static uint32_t value(struct graph *g, LLVMValueRef v) {
  LLVMValueKind kind = LLVMGetValueKind(v);
  return kind == LLVMInstructionValueKind || kind == LLVMArgumentValueKind ? node_at(g, NODE_VALUE, v) : DEPEND_NONE;
}

static uint32_t operand(struct graph *g, unsigned i) { return value(g, LLVMGetOperand(g->v, i)); }
static uint32_t memory(struct graph *g, LLVMValueRef pointer) { return node(g, NODE_MEMORY, points_memory(&g->points, pointer)); }
static uint32_t unknown_memory(struct graph *g) { return node(g, NODE_MEMORY, points_memory(&g->points, LLVMConstNull(LLVMInt1Type()))); }
static uint32_t own(struct graph *g) { return node_at(g, NODE_VALUE, g->v); }
static uint32_t pointed(struct graph *g, enum node_kind kind) { return kind == NODE_RESULT ? DEPEND_RESULT : node(g, NODE_POINTED, kind); }

/* What decides whether the thread comes to the instruction. */
static void edges_to_here(struct graph *g, uint32_t from) {
  edge(g, from, node_at(g, NODE_ENTRY, g->f));
  edge(g, from, node_at(g, NODE_BLOCK, g->block));
  edge(g, from, g->before);
}

/* What is behind the instruction is executed, or not, as this says. */
static void decides(struct graph *g, uint32_t what) {
  if (what == DEPEND_NONE) return;
  uint32_t behind = g->n++;
  edge(g, behind, g->before);
  edge(g, behind, what);
  g->before = behind;
}

/* The instruction has an event, whose object the operand says. */
static uint32_t event(struct graph *g, uint32_t address) {
  uint32_t site = node_at(g, NODE_SITE, g->v);
  edges_to_here(g, site);
  edge(g, site, address);
  return site;
}

/* The instruction writes there what `what` is computed from. */
static void write(struct graph *g, LLVMValueRef pointer, uint32_t what) {
  uint32_t to = memory(g, pointer);
  edge(g, to, what);
  edge(g, to, value(g, pointer));
  edge(g, to, node_at(g, NODE_BLOCK, g->block));
}

/* --- instructions --- */

static void load(struct graph *g) {
  LLVMValueRef pointer = LLVMGetOperand(g->v, 0);
  event(g, value(g, pointer));
  edge(g, own(g), value(g, pointer));
  if (LLVMGetOrdering(g->v) == LLVMAtomicOrderingNotAtomic) edge(g, own(g), memory(g, pointer));
  decides(g, value(g, pointer));
}

static void store(struct graph *g) {
  LLVMValueRef pointer = LLVMGetOperand(g->v, 1);
  event(g, value(g, pointer));
  edge(g, node_at(g, NODE_WRITTEN, g->v), operand(g, 0));
  write(g, pointer, operand(g, 0));
  decides(g, value(g, pointer));
}

/* The last operand is what may be written; a compare-exchange's other one says whether. */
static void update(struct graph *g, bool compares) {
  LLVMValueRef pointer = LLVMGetOperand(g->v, 0);
  uint32_t written = operand(g, compares ? 2 : 1), expected = compares ? operand(g, 1) : DEPEND_NONE;
  edge(g, event(g, value(g, pointer)), expected);
  edge(g, node_at(g, NODE_WRITTEN, g->v), written);
  edge(g, own(g), value(g, pointer));
  write(g, pointer, written);
  write(g, pointer, own(g));
  decides(g, value(g, pointer));
  decides(g, expected);
}

static void join_phi(struct graph *g) {
  for (unsigned i = 0, n = LLVMCountIncoming(g->v); i < n; i++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(g->v, i);
    edge(g, own(g), value(g, LLVMGetIncomingValue(g->v, i)));
    edge(g, own(g), node_at(g, NODE_BLOCK, from));
    if (LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(from)) > 1) edge(g, own(g), node_at(g, NODE_BRANCH, from));
  }
}

static void compute(struct graph *g) {
  for (int i = 0, n = LLVMGetNumOperands(g->v); i < n; i++) edge(g, own(g), operand(g, (unsigned)i));
}

static void add_exit(struct graph *g, bool returns) {
  uint32_t after = node_at(g, NODE_RETURN, g->f);
  edge(g, after, g->before);
  if (!returns) {
    edge(g, after, node_at(g, NODE_BLOCK, g->block));
  } else if (LLVMGetNumOperands(g->v)) {
    uint32_t result = node_at(g, NODE_RESULT, g->f);
    edge(g, result, operand(g, 0));
    edge(g, result, node_at(g, NODE_BLOCK, g->block));
  }
}

/* --- calls --- */

static void call_inside(struct graph *g, LLVMValueRef callee) {
  unsigned params = LLVMCountParams(callee);
  for (unsigned i = 0, n = LLVMGetNumArgOperands(g->v); i < n; i++) {
    if (i < params)
      edge(g, node_at(g, NODE_VALUE, LLVMGetParam(callee, i)), operand(g, i));
    else
      edge(g, unknown_memory(g), operand(g, i)); /* a variadic one */
  }
  edges_to_here(g, node_at(g, NODE_ENTRY, callee));
  edge(g, own(g), node_at(g, NODE_RESULT, callee));
  decides(g, node_at(g, NODE_RETURN, callee));
}

static void call_pointer(struct graph *g) {
  uint32_t pointer = value(g, LLVMGetCalledValue(g->v));
  for (unsigned i = 0, n = LLVMGetNumArgOperands(g->v); i < n; i++) edge(g, node(g, NODE_ARGUMENT, i), operand(g, i));
  edges_to_here(g, pointed(g, NODE_ENTRY));
  edge(g, pointed(g, NODE_ENTRY), pointer);
  edge(g, own(g), pointed(g, NODE_RESULT));
  edge(g, own(g), pointer);
  edge(g, node_at(g, NODE_SITE, g->v), DEPEND_ALL); /* it may be a model's */
  edge(g, own(g), DEPEND_MODEL);
  decides(g, pointer);
  decides(g, pointed(g, NODE_RETURN));
}

static void call_copy(struct graph *g) {
  uint32_t site = event(g, operand(g, 0));
  for (unsigned i = 1, n = LLVMGetNumArgOperands(g->v); i < n; i++) edge(g, site, operand(g, i));
  edge(g, own(g), operand(g, 1));
  edge(g, own(g), memory(g, LLVMGetOperand(g->v, 1)));
  edge(g, node_at(g, NODE_WRITTEN, g->v), own(g));
  write(g, LLVMGetOperand(g->v, 0), own(g));
  for (unsigned i = 0, n = LLVMGetNumArgOperands(g->v); i < n; i++) decides(g, operand(g, i));
}

static void call_fill(struct graph *g) {
  edge(g, event(g, operand(g, 0)), operand(g, 2));
  edge(g, node_at(g, NODE_WRITTEN, g->v), operand(g, 1));
  write(g, LLVMGetOperand(g->v, 0), operand(g, 1));
  decides(g, operand(g, 0));
  decides(g, operand(g, 2));
}

/* The call's results, which may lie in memory that it is given, depend on its arguments, and it may end the execution because of them. */
static void call_sync(struct graph *g) {
  uint32_t site = event(g, DEPEND_NONE);
  for (unsigned i = 0, n = LLVMGetNumArgOperands(g->v); i < n; i++) {
    edge(g, site, operand(g, i));
    edge(g, own(g), operand(g, i));
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(g->v, i))) == LLVMPointerTypeKind) write(g, LLVMGetOperand(g->v, i), own(g));
  }
  for (unsigned i = 0, n = LLVMGetNumArgOperands(g->v); i < n; i++) decides(g, operand(g, i));
}

/* Anything may be read, written and called, as far as arguments and unknown memory lead. */
static void call_outside(struct graph *g) {
  LLVMValueRef callee = call_function(g->v);
  uint32_t site = event(g, DEPEND_NONE), here = own(g);
  bool is_model = callee && !LLVMIsDeclaration(callee);
  if (is_model) edge(g, site, DEPEND_ALL), edge(g, here, DEPEND_MODEL);
  edge(g, here, unknown_memory(g));
  edge(g, unknown_memory(g), here);
  edge(g, here, node_at(g, NODE_BLOCK, g->block));
  for (unsigned i = 0, n = LLVMGetNumArgOperands(g->v); i < n; i++) {
    edge(g, here, operand(g, i));
    edge(g, node(g, NODE_ARGUMENT, 0), operand(g, i));
  }
  edge(g, site, here);
  edges_to_here(g, pointed(g, NODE_ENTRY));
  edge(g, pointed(g, NODE_ENTRY), here);
  edge(g, here, pointed(g, NODE_RESULT));
  decides(g, here);
  if (is_model) decides(g, pointed(g, NODE_RETURN));
}

static void call(struct graph *g) {
  switch (call_kind_of(g->v)) {
    case CALL_INSIDE:
      call_inside(g, call_function(g->v));
      return;
    case CALL_POINTER:
      call_pointer(g);
      return;
    case CALL_NOTHING:
      compute(g);
      return;
    case CALL_COPY:
      call_copy(g);
      return;
    case CALL_FILL:
      call_fill(g);
      return;
    case CALL_ALLOCATE:
      compute(g);
      for (unsigned i = 0, n = LLVMGetNumArgOperands(g->v); i < n; i++) decides(g, operand(g, i));
      return;
    case CALL_SYNC:
    case CALL_START: /* the other thread depends on this one by its FORK */
      call_sync(g);
      return;
    case CALL_OUTSIDE:
      call_outside(g);
      return;
  }
}

/* long: one short case for each kind of instruction */
static void instruction(struct graph *g) {
  switch ((int)LLVMGetInstructionOpcode(g->v)) {
    case LLVMLoad:
      load(g);
      return;
    case LLVMStore:
      store(g);
      return;
    case LLVMAtomicRMW:
      update(g, false);
      return;
    case LLVMAtomicCmpXchg:
      update(g, true);
      return;
    case LLVMFence:
      event(g, DEPEND_NONE);
      return;
    case LLVMPHI:
      join_phi(g);
      return;
    case LLVMCall:
    case LLVMInvoke:
      call(g);
      return;
    case LLVMRet:
      add_exit(g, true);
      return;
    case LLVMUnreachable:
    case LLVMResume:
      add_exit(g, false);
      return;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
      compute(g);
      decides(g, operand(g, 1));
      return;
    case LLVMAlloca:
      decides(g, operand(g, 0));
      return;
    case LLVMLandingPad:
    case LLVMVAArg:
      edge(g, own(g), unknown_memory(g));
      return;
    case LLVMBr:
    case LLVMSwitch:
    case LLVMIndirectBr:
      return;
    default:
      compute(g);
  }
}

/* --- functions --- */

static void list_blocks(struct graph *g) {
  hashmap_clear(&g->block_numbers);
  vec_clear(&g->block_list);
  vec_clear(&g->blocks.first);
  vec_clear(&g->blocks.succs);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(g->f); b; b = LLVMGetNextBasicBlock(b)) {
    hashmap_at(&g->block_numbers, (uint64_t)(uintptr_t)b, g->block_list.count, NULL);
    *vec_push(&g->block_list) = b;
  }
  g->blocks.n = (uint32_t)g->block_list.count;
  for (uint32_t i = 0; i < g->blocks.n; i++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(g->block_list.data[i]);
    *vec_push(&g->blocks.first) = (uint32_t)g->blocks.succs.count;
    for (unsigned k = 0, n = LLVMGetNumSuccessors(end); k < n; k++)
      *vec_push(&g->blocks.succs) = (uint32_t)*hashmap_find(&g->block_numbers, (uint64_t)(uintptr_t)LLVMGetSuccessor(end, k));
  }
  *vec_push(&g->blocks.first) = (uint32_t)g->blocks.succs.count;
}

/* How it goes on behind the block depends on what its last instruction looks at. */
static void branch(struct graph *g, LLVMBasicBlockRef b) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
  uint32_t at = node_at(g, NODE_BRANCH, b);
  edge(g, at, node_at(g, NODE_BLOCK, b));
  edge(g, at, node_at(g, NODE_BEHIND, b)); /* an invoke: what is called may throw */
  for (int i = 0, n = LLVMGetNumOperands(end); i < n; i++) {
    LLVMValueRef v = LLVMGetOperand(end, (unsigned)i);
    if (LLVMGetValueKind(v) != LLVMBasicBlockValueKind) edge(g, at, value(g, v));
  }
}

/* Whether a loop ends decides about all that is behind it. */
static bool leaves_loop(const struct graph *g, uint32_t b) {
  for (uint32_t k = g->blocks.first.data[b]; k < g->blocks.first.data[b + 1]; k++)
    if (g->flow.part.data[g->blocks.succs.data[k]] != g->flow.part.data[b]) return g->flow.loops.data[b];
  return false;
}

static void block(struct graph *g, uint32_t number) {
  LLVMBasicBlockRef b = g->block = g->block_list.data[number];
  uint32_t behind = node_at(g, NODE_BEHIND, b);
  g->before = node_at(g, NODE_BEFORE, b);
  for (g->v = LLVMGetFirstInstruction(b); g->v; g->v = LLVMGetNextInstruction(g->v)) instruction(g);
  edge(g, behind, g->before);
  if (g->blocks.first.data[number + 1] - g->blocks.first.data[number] > 1) branch(g, b);
  if (leaves_loop(g, number)) edge(g, behind, node_at(g, NODE_BRANCH, b));
  for (uint32_t k = g->blocks.first.data[number]; k < g->blocks.first.data[number + 1]; k++)
    edge(g, node_at(g, NODE_BEFORE, g->block_list.data[g->blocks.succs.data[k]]), behind);
}

static void function(struct graph *g, LLVMValueRef f) {
  g->f = f;
  list_blocks(g);
  control_flow_find(&g->flow, &g->blocks);
  for (size_t i = 0; i < g->flow.pairs.count; i++) {
    struct control_pair p = g->flow.pairs.data[i];
    edge(g, node_at(g, NODE_BLOCK, g->block_list.data[p.block]), node_at(g, NODE_BRANCH, g->block_list.data[p.branch]));
  }
  for (uint32_t i = 0; i < g->blocks.n; i++) block(g, i);
  if (!function_is_taken(f)) return;
  for (unsigned i = 0, n = LLVMCountParams(f); i < n; i++) edge(g, node_at(g, NODE_VALUE, LLVMGetParam(f, i)), node(g, NODE_ARGUMENT, i));
  edge(g, node_at(g, NODE_ENTRY, f), pointed(g, NODE_ENTRY));
  edge(g, pointed(g, NODE_RESULT), node_at(g, NODE_RESULT, f));
  edge(g, pointed(g, NODE_RETURN), node_at(g, NODE_RETURN, f));
}

/* --- into the image --- */

static uint32_t site_node(struct graph *g, enum node_kind kind, LLVMValueRef v) {
  const uint64_t *at = hashmap_find(&g->nodes, hash_pair(kind, (uint64_t)(uintptr_t)v));
  return at ? (uint32_t)*at : DEPEND_NONE;
}

static bool may_read(LLVMValueRef v) {
  LLVMOpcode op = LLVMGetInstructionOpcode(v);
  enum call_kind kind = is_call(v) ? call_kind_of(v) : CALL_NOTHING;
  if (kind == CALL_POINTER || kind == CALL_COPY || kind == CALL_SYNC || kind == CALL_START || kind == CALL_OUTSIDE) return true;
  return op == LLVMLoad || op == LLVMAtomicCmpXchg;
}

static bool in_model(LLVMValueRef v) { return function_is_model(LLVMGetBasicBlockParent(LLVMGetInstructionParent(v))); }

static struct image_depend depend_of(struct graph *g, LLVMValueRef v) {
  if (!v || in_model(v)) return (struct image_depend){DEPEND_ALL, DEPEND_ALL, DEPEND_MODEL};
  struct image_depend d = {site_node(g, NODE_SITE, v), site_node(g, NODE_WRITTEN, v), DEPEND_NONE};
  if (may_read(v)) d.read = site_node(g, NODE_VALUE, v);
  return d;
}

/* Edges by node, for those nodes that a site leads to; these get new numbers. */
struct packer {
  VEC(uint32_t) first, next, numbers, work;
};

static uint32_t packed(struct packer *p, uint32_t i) {
  if (p->numbers.data[i] == NONE) {
    p->numbers.data[i] = (uint32_t)p->work.count;
    *vec_push(&p->work) = i;
  }
  return p->numbers.data[i];
}

static void sort_edges(struct packer *p, const struct graph *g) {
  uint32_t *first = vec_push_n(&p->first, g->n + 1);
  memset(first, 0, (g->n + 1) * sizeof *first);
  for (size_t i = 0; i < g->edges.count; i++) first[g->edges.data[i].from]++;
  for (uint32_t i = 0, sum = 0; i <= g->n; i++) first[i] = sum += first[i];
  (void)vec_push_n(&p->next, g->edges.count);
  for (size_t i = g->edges.count; i-- > 0;) p->next.data[--first[g->edges.data[i].from]] = g->edges.data[i].to;
}

static void pack(struct graph *g) {
  struct image_builder *im = &g->l->image;
  struct packer p = {0};
  sort_edges(&p, g);
  memset(vec_push_n(&p.numbers, g->n), 0xff, g->n * sizeof(uint32_t));
  for (uint32_t i = 0; i < DEPEND_NODES; i++) (void)packed(&p, i); /* these stay what they are */
  for (size_t s = 0; s < im->sites.count; s++) {
    struct image_depend d = depend_of(g, g->l->site_insns.data[s]);
    *vec_push(&im->depend_sites) = (struct image_depend){packed(&p, d.control), packed(&p, d.value), packed(&p, d.read)};
  }
  for (size_t i = 0; i < p.work.count; i++) {
    uint32_t from = p.work.data[i];
    *vec_push(&im->depend_first) = (uint32_t)im->depend_edges.count;
    for (uint32_t k = p.first.data[from]; k < p.first.data[from + 1]; k++) *vec_push(&im->depend_edges) = packed(&p, p.next.data[k]);
  }
  *vec_push(&im->depend_first) = (uint32_t)im->depend_edges.count;
  vec_release(&p.first);
  vec_release(&p.next);
  vec_release(&p.numbers);
  vec_release(&p.work);
}

void dependence_find(struct lower *l) {
  struct graph g = {.l = l, .n = DEPEND_NODES};
  points_find(&g.points, l->module);
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && !function_is_model(f)) function(&g, f);
  pack(&g);
  points_release(&g.points);
  control_flow_release(&g.flow);
  control_graph_release(&g.blocks);
  hashmap_release(&g.nodes);
  hashmap_release(&g.block_numbers);
  vec_release(&g.block_list);
  vec_release(&g.edges);
}
