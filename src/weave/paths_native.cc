#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <vector>

extern "C" {
#include "weave/paths.h"
#include "weave/paths_native.h"
}

namespace {

/* The names are runtime/paths/paths.h's. */
struct Names {
  llvm::GlobalVariable *log;    /* hd_paths; its first member points to the present word */
  llvm::FunctionCallee next;    /* goes on to the next word */
  llvm::Type *word, *pointer;

  explicit Names(llvm::Module &m) {
    llvm::LLVMContext &c = m.getContext();
    word = llvm::Type::getInt64Ty(c), pointer = llvm::PointerType::getUnqual(c);
    log = new llvm::GlobalVariable(m, pointer, false, llvm::GlobalValue::ExternalLinkage, nullptr, "hd_paths", nullptr,
                                   llvm::GlobalValue::InitialExecTLSModel);
    next = m.getOrInsertFunction("__heddle_paths_next", llvm::FunctionType::get(llvm::Type::getVoidTy(c), false));
    auto *f = llvm::cast<llvm::Function>(next.getCallee());
    f->setCallingConv(llvm::CallingConv::PreserveMost);
    f->addFnAttr(llvm::Attribute::NonLazyBind), f->addFnAttr(llvm::Attribute::NoUnwind);
  }
};

struct Weaver {
  const Names &names;
  llvm::Function &f;
  llvm::AllocaInst *at, *word;

  Weaver(const Names &n, llvm::Function &function) : names(n), f(function) {
    llvm::IRBuilder<> b(&f.getEntryBlock(), f.getEntryBlock().begin());
    at = b.CreateAlloca(names.pointer), word = b.CreateAlloca(names.word);
  }

  void reload(llvm::IRBuilder<> &b) const {
    llvm::Value *place = b.CreateLoad(names.pointer, b.CreateThreadLocalAddress(names.log));
    b.CreateStore(place, at);
    b.CreateStore(b.CreateLoad(names.word, place), word);
  }
  void reload_before(llvm::Instruction *i) const {
    llvm::IRBuilder<> b(i);
    reload(b);
  }
  /* Where an invoke goes on, no other way may lead to. */
  void reload_behind(llvm::CallBase *call) const {
    if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(call)) {
      llvm::BasicBlock *to = invoke->getNormalDest();
      if (!to->getSinglePredecessor()) to = llvm::SplitEdge(invoke->getParent(), to);
      reload_before(&*to->getFirstInsertionPt());
    } else if (!call->isMustTailCall() && call->getNextNode()) {
      reload_before(call->getNextNode());
    }
  }
  /* Before `i`: goes on to the next word, if that is so. Returns the end of the block that does. */
  llvm::Instruction *next_if(llvm::Value *full, llvm::Instruction *i) const {
    llvm::MDNode *seldom = llvm::MDBuilder(f.getContext()).createBranchWeights(1, 1U << 20);
    llvm::Instruction *end = llvm::SplitBlockAndInsertIfThen(full, i, false, seldom);
    llvm::IRBuilder<> b(end);
    llvm::CallInst *next = b.CreateCall(names.next);
    next->setCallingConv(llvm::CallingConv::PreserveMost);
    next->setDebugLoc(i->getDebugLoc());
    reload(b);
    return end;
  }
  /* If the present word has no room. */
  void make_room(llvm::Instruction *i, llvm::Value *bits) const {
    llvm::IRBuilder<> b(i);
    llvm::Value *now = b.CreateLoad(names.word, word);
    next_if(b.CreateICmpNE(b.CreateLShr(now, b.CreateSub(b.getInt64(64), bits)), b.getInt64(0)), i);
  }
  void append_before(llvm::Instruction *i, llvm::Value *value, llvm::Value *bits) const {
    llvm::IRBuilder<> b(i);
    store(b, b.CreateOr(b.CreateShl(b.CreateLoad(names.word, word), bits), value));
  }
  void store(llvm::IRBuilder<> &b, llvm::Value *grown) const {
    b.CreateStore(grown, word);
    b.CreateStore(grown, b.CreateLoad(names.pointer, at));
  }
  /* The word has no room if the addition that makes room in it overflows: one instruction for both. */
  void append_constant(llvm::Instruction *i, bool bit) const {
    llvm::IRBuilder<> b(i);
    llvm::Value *now = b.CreateLoad(names.word, word);
    llvm::Value *twice = b.CreateBinaryIntrinsic(llvm::Intrinsic::uadd_with_overflow, now, now);
    b.CreateStore(b.CreateExtractValue(twice, 0), word);
    llvm::Value *full = b.CreateExtractValue(twice, 1);
    b.SetInsertPoint(next_if(full, i));
    b.CreateStore(b.CreateShl(b.CreateLoad(names.word, word), 1), word);
    b.SetInsertPoint(i);
    llvm::Value *grown = b.CreateLoad(names.word, word);
    store(b, bit ? b.CreateOr(grown, b.getInt64(1)) : grown);
  }
  /* Where a branch goes anyway, the bit needs not be computed. */
  void append_bit(llvm::CallInst *hook) const {
    auto *branch = llvm::cast<llvm::BranchInst>(hook->getParent()->getTerminator());
    using namespace llvm::PatternMatch;
    bool inverted = match(hook->getArgOperand(0), m_ZExt(m_Not(m_Specific(branch->getCondition()))));
    for (unsigned way = 0; way < 2; way++) {
      llvm::BasicBlock *to = llvm::SplitEdge(branch->getParent(), branch->getSuccessor(way));
      append_constant(&*to->getFirstInsertionPt(), (way == 0) != inverted);
    }
  }
  /* Of up to 64 bits: in pieces of 32. */
  void append_result(llvm::CallInst *hook) const {
    llvm::IRBuilder<> b(hook);
    llvm::Value *value = hook->getArgOperand(0), *all = hook->getArgOperand(1);
    if (llvm::cast<llvm::ConstantInt>(all)->getZExtValue() > 32) {
      make_room(hook, b.getInt64(32));
      b.SetInsertPoint(hook);
      append_before(hook, b.CreateLShr(value, 32), b.getInt64(32));
      all = b.getInt64(32);
    }
    make_room(hook, all);
    b.SetInsertPoint(hook);
    append_before(hook, b.CreateAnd(value, 0xffffffffU), all);
    hook->replaceAllUsesWith(value);
  }
  void append_number(llvm::CallInst *hook) const {
    make_room(hook, hook->getArgOperand(1));
    append_before(hook, hook->getArgOperand(0), hook->getArgOperand(1));
  }
  void append(llvm::CallInst *hook) const {
    if (hook->arg_size() == 1)
      append_bit(hook);
    else if (hook->arg_size() == 3)
      append_result(hook);
    else
      append_number(hook);
    auto *value = llvm::dyn_cast<llvm::Instruction>(hook->getArgOperand(0));
    hook->eraseFromParent();
    if (value) llvm::RecursivelyDeleteTriviallyDeadInstructions(value);
  }
  void promote() const {
    llvm::DominatorTree tree(f);
    llvm::PromoteMemToReg({at, word}, tree);
  }
};

bool is_hook(const llvm::CallBase &call) {
  const llvm::Function *f = call.getCalledFunction();
  return f && (f->getName() == PATHS_BIT || f->getName() == PATHS_NUMBER || f->getName() == PATHS_RESULT);
}

/* May it run code of the program, and so append to the log? */
bool may_append(const llvm::CallBase &call) { return !llvm::isa<llvm::IntrinsicInst>(call) && !call.isInlineAsm(); }

void make_native(const Names &names, llvm::Function &f) {
  std::vector<llvm::CallInst *> hooks;
  std::vector<llvm::CallBase *> calls;
  std::vector<llvm::Instruction *> pads;
  for (llvm::BasicBlock &block : f)
    for (llvm::Instruction &i : block) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
      if (llvm::isa<llvm::LandingPadInst>(i)) pads.push_back(i.getNextNode());
      if (!call) continue;
      if (is_hook(*call))
        hooks.push_back(llvm::cast<llvm::CallInst>(call));
      else if (may_append(*call))
        calls.push_back(call);
    }
  if (hooks.empty()) return;
  Weaver w(names, f);
  w.reload_before(w.word->getNextNode());
  for (llvm::Instruction *pad : pads) w.reload_before(pad);
  for (llvm::CallBase *call : calls) w.reload_behind(call);
  for (llvm::CallInst *hook : hooks) w.append(hook);
  w.promote();
}

/* The variable is runtime/paths/paths.h's. */
void read_alone(llvm::Module &m) {
  llvm::Function *hook = m.getFunction(PATHS_ALONE);
  if (!hook) return;
  llvm::Type *byte = llvm::Type::getInt8Ty(m.getContext());
  auto *alone = new llvm::GlobalVariable(m, byte, false, llvm::GlobalValue::ExternalLinkage, nullptr, "hd_paths_alone");
  while (!hook->use_empty()) {
    auto *call = llvm::cast<llvm::CallInst>(hook->user_back());
    llvm::IRBuilder<> b(call);
    call->replaceAllUsesWith(b.CreateZExt(b.CreateLoad(byte, alone), call->getType()));
    call->eraseFromParent();
  }
  hook->eraseFromParent();
}

}  // namespace

void paths_native(LLVMModuleRef module) {
  llvm::Module &m = *llvm::unwrap(module);
  Names names(m);
  read_alone(m);
  for (llvm::Function &f : m)
    if (!f.isDeclaration()) make_native(names, f);
  for (const char *name : {PATHS_BIT, PATHS_NUMBER, PATHS_RESULT})
    if (llvm::Function *hook = m.getFunction(name)) hook->eraseFromParent();
}
