#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include <vector>

extern "C" {
#include "weave/paths.h"
#include "weave/paths_alone.h"
}

using namespace llvm;

struct paths_alone {
  TargetLibraryInfoImpl known;
  TargetLibraryInfo library;
  DenseSet<const Function *> quiet; /* functions of the module that make no thread, nor what they call */

  explicit paths_alone(const Module &m) : known(Triple(m.getTargetTriple())), library(known) {}

  /* Functions of the C library that LLVM knows; few of them call back. */
  bool is_plain(const Function &f) const {
    LibFunc which;
    if (!library.getLibFunc(f, which)) return false;
    return which != LibFunc_qsort && which != LibFunc_fork && which != LibFunc_popen && which != LibFunc_system;
  }
  /* May there be a thread more behind it? */
  bool may_begin(const CallBase &call) const {
    if (isa<IntrinsicInst>(call) || call.isInlineAsm() || call.doesNotReturn() || call.onlyReadsMemory()) return false;
    const Function *f = call.getCalledFunction();
    if (!f) return true;
    if (!f->isDeclaration()) return !quiet.contains(f);
    return !f->getName().starts_with("__heddle_path_") && !is_plain(*f);
  }
  bool begins_none(const Function &f) const {
    for (const Instruction &i : instructions(f))
      if (auto *call = dyn_cast<CallBase>(&i); call && may_begin(*call)) return false;
    return true;
  }
  /* All are until one is found that is not; then those that call it. */
  void find(const Module &m) {
    for (const Function &f : m)
      if (!f.isDeclaration() && !f.isInterposable()) quiet.insert(&f);
    for (bool changed = true; changed;) {
      changed = false;
      for (const Function &f : m)
        if (quiet.contains(&f) && !begins_none(f)) quiet.erase(&f), changed = true;
    }
  }
};

namespace {

constexpr size_t branches_least = 3, blocks_most = 4000;

/* Where the copy goes back to what it is a copy of: at the end of block `from`, whose copy's end leads to `to`'s copy otherwise. */
struct Meeting {
  BasicBlock *from, *to;
};

bool has_loop(const Function &f) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> back;
  FindFunctionBackedges(f, back);
  return !back.empty();
}

/* Functions that are entered in other ways than by a call, or left so. */
bool is_odd(const Function &f) {
  if (f.hasFnAttribute(Attribute::Naked) || f.callsFunctionThatReturnsTwice() || f.isPresplitCoroutine()) return true;
  for (const BasicBlock &b : f)
    if (b.hasAddressTaken() || (b.isEHPad() && !b.isLandingPad()) || isa<CallBrInst>(b.getTerminator())) return true;
  for (const Instruction &i : instructions(f))
    if (i.getType()->isTokenTy()) return true;
  return false;
}

struct Copier {
  const struct paths_alone &known;
  Function &f;
  std::vector<BasicBlock *> blocks, copies;
  std::vector<Meeting> meetings;
  ValueToValueMapTy map;

  Copier(const struct paths_alone &k, Function &function) : known(k), f(function) {}

  /* Behind the locals, whose place is the entry. */
  BasicBlock *split_entry() {
    BasicBlock &entry = f.getEntryBlock();
    std::vector<AllocaInst *> locals;
    Instruction *first = &*entry.getFirstNonPHIOrDbgOrAlloca();
    for (Instruction &i : entry)
      if (auto *local = dyn_cast<AllocaInst>(&i); local && local->isStaticAlloca()) locals.push_back(local);
    for (AllocaInst *local : locals)
      if (!local->comesBefore(first)) local->moveBefore(first);
    return SplitBlock(&entry, first);
  }
  void split_behind(Instruction *i) { meetings.push_back({i->getParent(), SplitBlock(i->getParent(), i->getNextNode())}); }
  void split_calls() {
    std::vector<CallBase *> calls;
    DenseSet<LandingPadInst *> pads;
    for (Instruction &i : instructions(f))
      if (auto *call = dyn_cast<CallBase>(&i); call && known.may_begin(*call)) calls.push_back(call);
    for (CallBase *call : calls) {
      if (auto *invoke = dyn_cast<InvokeInst>(call)) {
        BasicBlock *edge = SplitEdge(invoke->getParent(), invoke->getNormalDest());
        meetings.push_back({edge, edge});
        pads.insert(invoke->getLandingPadInst());
      } else if (!call->isMustTailCall() && !isa<ReturnInst>(call->getNextNode())) {
        split_behind(call);
      }
    }
    for (LandingPadInst *pad : pads) split_behind(pad);
  }
  Value *ask(IRBuilder<> &b) const {
    Type *word = b.getInt64Ty();
    FunctionCallee hook = f.getParent()->getOrInsertFunction(PATHS_ALONE, FunctionType::get(word, false));
    return b.CreateICmpNE(b.CreateCall(hook), ConstantInt::get(word, 0));
  }
  void branch(BasicBlock *from, BasicBlock *alone, BasicBlock *not_alone) const {
    Instruction *end = from->getTerminator();
    IRBuilder<> b(end);
    if (auto *line = f.getSubprogram(); line && !b.getCurrentDebugLocation())
      b.SetCurrentDebugLocation(DILocation::get(f.getContext(), line->getLine(), 0, line));
    b.CreateCondBr(ask(b), alone, not_alone);
    end->eraseFromParent();
  }
  /* Behind a meeting the value is that of the instruction, or that of its copy. */
  void join_value(Instruction *i) const {
    SmallVector<Use *, 16> uses;
    for (Use &u : i->uses()) {
      auto *user = cast<Instruction>(u.getUser());
      if (user->getParent() != i->getParent() || isa<PHINode>(user)) uses.push_back(&u);
    }
    if (uses.empty()) return;
    SSAUpdater updater;
    updater.Initialize(i->getType(), i->getName());
    updater.AddAvailableValue(i->getParent(), i);
    auto *copy = cast<Instruction>(map.lookup(i));
    updater.AddAvailableValue(copy->getParent(), copy);
    for (Use *u : uses) updater.RewriteUse(*u);
    updater.UpdateDebugValues(i);
  }
  void join_values() const {
    std::vector<Instruction *> values; /* those that joining adds are joined already */
    for (BasicBlock *block : blocks)
      for (Instruction &i : *block) values.push_back(&i);
    for (Instruction *i : values) join_value(i);
  }
  void copy() {
    BasicBlock *entry = &f.getEntryBlock(), *body = split_entry();
    split_calls();
    for (BasicBlock &b : f)
      if (&b != entry) blocks.push_back(&b);
    for (BasicBlock *b : blocks) {
      BasicBlock *c = CloneBasicBlock(b, map, ".alone", &f);
      map[b] = c;
      copies.push_back(c);
    }
    remapInstructionsInBlocks(copies, map);
    branch(entry, cast<BasicBlock>(map[body]), body);
    for (const Meeting &m : meetings) {
      auto *from = cast<BasicBlock>(map[m.from]);
      branch(from, from->getTerminator()->getSuccessor(0), m.to);
    }
    if (!meetings.empty()) join_values();
  }
};

}  // namespace

struct paths_alone *paths_alone_new(LLVMModuleRef module) {
  auto *a = new struct paths_alone(*unwrap(module));
  a->find(*unwrap(module));
  return a;
}

void paths_alone_free(struct paths_alone *a) { delete a; }

void paths_alone_copy(struct paths_alone *a, LLVMValueRef function, size_t branches) {
  Function &f = *unwrap<Function>(function);
  if (branches == 0 || (branches < branches_least && !has_loop(f)) || f.size() > blocks_most || is_odd(f)) return;
  Copier(*a, f).copy();
}
