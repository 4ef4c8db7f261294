#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <algorithm>
#include <vector>

extern "C" {
#include "weave/paths.h"
#include "weave/paths_numbered.h"
#include "weave/settled.h"
}

using namespace llvm;

namespace {

/* More paths than this are cut where they divide. */
constexpr uint64_t most_paths = 1U << 20;

/* From a block to another one, by whichever of its branch's ways. */
struct Way {
  BasicBlock *to;
  bool ends;     /* the path does, and another one begins */
  uint64_t adds; /* to the path's number */
};

struct Node {
  std::vector<Way> ways;
  uint64_t paths = 0;  /* that go on from here */
  uint64_t begun = 0;  /* of all paths that come here: at the place where they begin there are so many, at most */
  bool starts = false; /* paths begin here */
};

struct Numbering {
  Function &f;
  locals *l;
  DenseMap<BasicBlock *, Node> nodes;
  std::vector<BasicBlock *> order; /* behind all that they lead to, ends of paths aside */

  Numbering(Function &function, locals *of) : f(function), l(of) {}

  bool is_settled(BasicBlock *b) const {
    auto *branch = dyn_cast<BranchInst>(b->getTerminator());
    auto *cases = dyn_cast<SwitchInst>(b->getTerminator());
    Value *by = branch && branch->isConditional() ? branch->getCondition() : cases ? cases->getCondition() : nullptr;
    return by && settled(l, wrap(by));
  }

  /* By depth: a way back to a block whose ways are still gone through ends a path. */
  void visit_all() {
    struct Visit {
      BasicBlock *block;
      size_t next;
    };
    enum State { NEW, OPEN, DONE };
    DenseMap<BasicBlock *, State> states;
    std::vector<Visit> stack;
    auto begin = [&](BasicBlock *b) {
      states[b] = OPEN;
      SmallSetVector<BasicBlock *, 4> to(succ_begin(b), succ_end(b));
      for (BasicBlock *s : to) nodes[b].ways.push_back({s, s->isEHPad(), 0});
      stack.push_back({b, 0});
    };
    begin(&f.getEntryBlock());
    while (!stack.empty()) {
      BasicBlock *b = stack.back().block;
      if (stack.back().next == nodes[b].ways.size()) {
        states[b] = DONE;
        order.push_back(b);
        stack.pop_back();
        continue;
      }
      Way &way = nodes[b].ways[stack.back().next++];
      State state = states.lookup(way.to);
      if (state == OPEN) way.ends = true;
      if (state == NEW) begin(way.to);
    }
  }

  void count() {
    for (BasicBlock *b : order) {
      Node &n = nodes[b];
      bool either = is_settled(b);
      uint64_t all = 0;
      for (int again = 0; again < 2; again++) {
        all = 0;
        for (Way &w : n.ways) {
          uint64_t here = w.ends ? 1 : nodes[w.to].paths;
          w.adds = either ? 0 : all;
          all = either ? std::max(all, here) : all + here;
        }
        if (all <= most_paths) break;
        for (Way &w : n.ways) w.ends = true;
      }
      n.paths = n.ways.empty() ? 1 : all;
    }
    nodes[&f.getEntryBlock()].starts = true;
    for (BasicBlock *b : order)
      for (Way &w : nodes[b].ways)
        if (w.ends) nodes[w.to].starts = true;
    for (auto b = order.rbegin(); b != order.rend(); ++b) {
      Node &n = nodes[*b];
      if (n.starts) n.begun = std::max(n.begun, n.paths);
      for (Way &w : n.ways)
        if (!w.ends) nodes[w.to].begun = std::max(nodes[w.to].begun, n.begun);
    }
  }
};

struct Weaver {
  Numbering &numbering;
  Function &f;
  AllocaInst *path;
  FunctionCallee hook;

  explicit Weaver(Numbering &n) : numbering(n), f(n.f) {
    IRBuilder<> b(&f.getEntryBlock(), f.getEntryBlock().begin());
    path = b.CreateAlloca(b.getInt64Ty());
    b.CreateStore(b.getInt64(0), path);
    hook = f.getParent()->getOrInsertFunction(PATHS_NUMBER, b.getVoidTy(), b.getInt64Ty(), b.getInt64Ty());
    cast<Function>(hook.getCallee())->addFnAttr(Attribute::NoUnwind);
  }

  /* Before it is what belongs to this way alone. */
  static Instruction *place_on(BasicBlock *from, BasicBlock *to) {
    if (to->getUniquePredecessor() == from) return &*to->getFirstInsertionPt();
    if (from->getUniqueSuccessor() == to) return from->getTerminator();
    unsigned way = GetSuccessorNumber(from, to);
    BasicBlock *between = SplitCriticalEdge(from->getTerminator(), way, CriticalEdgeSplittingOptions().setMergeIdenticalEdges());
    return between ? between->getTerminator() : nullptr;
  }

  Value *number(IRBuilder<> &b, uint64_t adds) const {
    Value *now = b.CreateLoad(b.getInt64Ty(), path);
    return adds ? b.CreateAdd(now, b.getInt64(adds)) : now;
  }

  void tell(IRBuilder<> &b, uint64_t adds, uint64_t paths, Instruction *as) const {
    if (paths < 2) return;
    CallInst *call = b.CreateCall(hook, {number(b, adds), b.getInt64(Log2_64(paths - 1) + 1)});
    DebugLoc place = as->getDebugLoc();
    if (!place && f.getSubprogram()) place = DILocation::get(f.getContext(), 0, 0, f.getSubprogram());
    call->setDebugLoc(place);
  }

  /* Where an exception comes to, another path begins, and nothing is told. */
  void weave_way(BasicBlock *from, const Node &n, const Way &w) const {
    if (w.to->isEHPad() || (!w.ends && !w.adds)) return;
    Instruction *as = from->getTerminator();
    IRBuilder<> b(place_on(from, w.to));
    if (w.ends) tell(b, w.adds, n.begun, as);
    b.CreateStore(w.ends ? static_cast<Value *>(b.getInt64(0)) : number(b, w.adds), path);
  }

  void weave_block(BasicBlock *block, const Node &n) const {
    if (block->isEHPad()) {
      IRBuilder<> b(&*block->getFirstInsertionPt());
      b.CreateStore(b.getInt64(0), path);
    }
    for (const Way &w : n.ways) weave_way(block, n, w);
    if (!n.ways.empty()) return;
    IRBuilder<> b(block == &f.getEntryBlock() ? path->getNextNode()->getNextNode() : &*block->getFirstInsertionPt());
    tell(b, 0, n.begun, block->getTerminator());
  }

  void promote() const {
    DominatorTree tree(f);
    PromoteMemToReg({path}, tree);
  }
};

bool can_be_numbered(const Function &f) {
  for (const BasicBlock &b : f) {
    const Instruction *last = b.getTerminator();
    if (isa<IndirectBrInst>(last) || isa<CallBrInst>(last) || (b.isEHPad() && !b.isLandingPad())) return false;
  }
  return true;
}

}  // namespace

bool paths_numbered(LLVMValueRef function, locals *l) {
  auto &f = *unwrap<Function>(function);
  if (!can_be_numbered(f)) return false;
  Numbering numbering(f, l);
  numbering.visit_all();
  numbering.count();
  Weaver weaver(numbering);
  for (BasicBlock *b : numbering.order) weaver.weave_block(b, numbering.nodes[b]);
  weaver.promote();
  return true;
}
