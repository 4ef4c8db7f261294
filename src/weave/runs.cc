#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <algorithm>
#include <vector>

extern "C" {
#include "weave/covered.h"
#include "weave/runs.h"
}

using namespace llvm;

namespace {

struct Access {
  Instruction *at;
  bool writes;
  const SCEV *start; /* its address the first time */
  int64_t step;      /* 0: it does not change */
  int64_t size, offset;
};
using Accesses = std::vector<Access>;

struct Runs {
  insert *in;
  runs_watched *watched;
  void *who;
  LoopInfo &loops;
  ScalarEvolution &evolution;
  DominatorTree &dominators;
  const DataLayout &data;
  unsigned mark;

  /* A loop that is left at its end alone, and is gone through a number of times that is known when it is entered. */
  bool counted(Loop *loop) {
    BasicBlock *latch = loop->getLoopLatch();
    if (!latch || !loop->getLoopPreheader() || loop->getExitingBlock() != latch) return false;
    for (BasicBlock *block : loop->blocks())
      for (Instruction &i : *block)
        if (covered_ends(wrap(&i))) return false;
    return !isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(loop));
  }

  bool qualifies(Loop *loop, Instruction &i, Access &a) {
    Value *address = getLoadStorePointerOperand(&i);
    if (!address || i.isVolatile() || !dominators.dominates(i.getParent(), loop->getLoopLatch())) return false;
    a = {&i, isa<StoreInst>(i), evolution.getSCEV(address), 0, 0, 0};
    TypeSize size = data.getTypeStoreSize(getLoadStoreType(&i));
    if (size.isScalable() || size > 16 || !isPowerOf2_64(size)) return false;
    a.size = static_cast<int64_t>(size.getFixedValue());
    if (const auto *steps = dyn_cast<SCEVAddRecExpr>(a.start)) {
      const auto *step = dyn_cast<SCEVConstant>(steps->getStepRecurrence(evolution));
      if (steps->getLoop() != loop || !step) return false;
      a.step = step->getAPInt().getSExtValue(), a.start = steps->getStart();
    } else if (!evolution.isLoopInvariant(a.start, loop)) {
      return false;
    }
    return watched(who, wrap(&i), wrap(address), a.writes);
  }

  /* Takes those out of `all` that are a constant away from its last one, and of its step and kind. */
  Accesses take_group(Accesses &all) {
    Access first = all.back();
    Accesses group, others;
    for (Access &a : all) {
      const auto *offset = a.writes == first.writes && a.step == first.step
                               ? dyn_cast<SCEVConstant>(evolution.getMinusSCEV(a.start, first.start))
                               : nullptr;
      if (offset) a.offset = offset->getAPInt().getSExtValue();
      (offset ? group : others).push_back(a);
    }
    all = others;
    std::stable_sort(group.begin(), group.end(), [](const Access &a, const Access &b) { return a.offset < b.offset; });
    return group;
  }

  /* How many bytes the group touches in each step, if there is no gap, or 0. */
  static int64_t covers(const Accesses &group) {
    int64_t end = group[0].offset;
    for (const Access &a : group) {
      if (a.offset > end) return 0;
      end = std::max(end, a.offset + a.size);
    }
    return end - group[0].offset;
  }

  Value *expanded(const SCEV *s, Type *type, Instruction *before) {
    SCEVExpander expander(evolution, data, "run");
    return expander.isSafeToExpandAt(s, before) ? expander.expandCodeFor(s, type, before) : nullptr;
  }

  void done(const Accesses &group) {
    for (const Access &a : group) a.at->setMetadata(mark, MDNode::get(a.at->getContext(), {}));
  }

  /* The address does not change. */
  void weave_single(Loop *loop, const Access &a) {
    Instruction *before = loop->getLoopPreheader()->getTerminator();
    Value *address = expanded(a.start, unwrap(in->pointer), before);
    if (!address) return;
    insert_before_as(in, wrap(a.at), wrap(before));
    insert_access(in, wrap(address), static_cast<uint64_t>(a.size), static_cast<unsigned>(getLoadStoreAlignment(a.at).value()), a.writes);
    done({a});
  }

  void weave_group(Loop *loop, const Accesses &group) {
    const Access &first = group[0];
    int64_t bytes = covers(group), step = first.step < 0 ? -first.step : first.step;
    if (bytes < step) return;
    Instruction *before = loop->getLoopPreheader()->getTerminator();
    Type *integer = unwrap(in->integer);
    const SCEV *more = evolution.getTruncateOrZeroExtend(evolution.getBackedgeTakenCount(loop), integer);
    const SCEV *way = evolution.getMulExpr(more, evolution.getConstant(integer, static_cast<uint64_t>(step)));
    const SCEV *start = first.step < 0 ? evolution.getAddExpr(first.start, evolution.getNegativeSCEV(way)) : first.start;
    Value *length = expanded(evolution.getAddExpr(way, evolution.getConstant(integer, static_cast<uint64_t>(bytes))), integer, before);
    Value *address = length ? expanded(start, unwrap(in->pointer), before) : nullptr;
    if (!address) return;
    insert_before_as(in, wrap(first.at), wrap(before));
    insert_run(in, wrap(address), wrap(length), static_cast<unsigned>(first.size), first.writes);
    done(group);
  }

  void weave_loop(Loop *loop) {
    Accesses all;
    Access a;
    if (!counted(loop)) return;
    for (BasicBlock *block : loop->blocks())
      for (Instruction &i : *block)
        if (qualifies(loop, i, a)) all.push_back(a);
    for (const Access &single : all)
      if (single.step == 0) weave_single(loop, single);
    all.erase(std::remove_if(all.begin(), all.end(), [](const Access &single) { return single.step == 0; }), all.end());
    while (!all.empty()) weave_group(loop, take_group(all));
  }

  void weave() {
    for (Loop *loop : loops.getLoopsInPreorder())
      if (loop->isInnermost()) weave_loop(loop);
  }
};

}  // namespace

unsigned runs_mark(LLVMModuleRef module) { return unwrap(module)->getContext().getMDKindID("heddle.run"); }

void runs_weave(struct weave_analyses *a, LLVMValueRef f, struct insert *in, runs_watched *watched, void *who) {
  auto *manager = reinterpret_cast<FunctionAnalysisManager *>(a);
  Function &function = *unwrap<Function>(f);
  LoopInfo &loops = manager->getResult<LoopAnalysis>(function);
  if (loops.empty()) return;
  Runs{in,
       watched,
       who,
       loops,
       manager->getResult<ScalarEvolutionAnalysis>(function),
       manager->getResult<DominatorTreeAnalysis>(function),
       function.getParent()->getDataLayout(),
       runs_mark(in->module)}
      .weave();
}
