#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

extern "C" {
#include "program/kept_module.h"
#include "program/named_calls.h"
}

using namespace llvm;

namespace {

struct Weaver {
  Module &module;
  const struct named_calls_hooks *hooks;
  IRBuilder<> b;
  std::vector<std::string> names;
  std::map<std::string, Constant *> strings;
  SetVector<Constant *> known;

  Weaver(Module &module, const struct named_calls_hooks *hooks) : module(module), hooks(hooks), b(module.getContext()) {}

  Constant *string(StringRef text) {
    Constant *&at = strings[text.str()];
    if (!at) at = b.CreateGlobalString(text, "heddle.name", 0, &module);
    return at;
  }

  /* Without what is between < and >, and without "(anonymous namespace)::". Braces, as of "{lambda()#1}", stay. */
  static std::string without_arguments(const std::string &name) {
    static const std::string anonymous = "(anonymous namespace)::";
    std::string plain;
    unsigned depth = 0;
    for (size_t i = 0; i < name.size(); i++) {
      if (!name.compare(i, anonymous.size(), anonymous)) {
        i += anonymous.size() - 1;
        continue;
      }
      if (name[i] == '<') depth++;
      if (!depth) plain += name[i];
      if (name[i] == '>' && depth) depth--;
    }
    return plain;
  }
  /* "Queue::push" of _ZN5QueueIiE4pushEi; what is no name of C++ stays as it is. */
  static std::string plain_name(const Function &f) {
    const DISubprogram *p = f.getSubprogram();
    if (p && p->getLinkageName().empty()) return p->getName().str(); /* of several static ones that were linked */
    ItaniumPartialDemangler d;
    const std::string whole = f.getName().str(); /* of which `d` keeps parts */
    if (d.partialDemangle(whole.c_str()) || !d.isFunction()) return whole;
    char *context = d.getFunctionDeclContextName(nullptr, nullptr), *base = d.getFunctionBaseName(nullptr, nullptr);
    std::string outer = without_arguments(std::string(context ? context : "") + (context && *context ? "::" : ""));
    std::string name = outer + (base ? base : "");
    free(context), free(base);
    return name;
  }
  /* A constructor or destructor that hands its work on to another form of itself, as the one that also gives the memory back does. */
  static bool hands_on(const Function &from, const Function &to) {
    ItaniumPartialDemangler d;
    const std::string symbol = to.getName().str();
    return !d.partialDemangle(symbol.c_str()) && d.isCtorOrDtor() && demangle(from.getName()) == demangle(symbol);
  }
  const std::string *name_of(const Function &f) const {
    if (f.isIntrinsic()) return nullptr;
    std::string plain = plain_name(f);
    for (const std::string &name : names)
      if (f.getName() == name || plain == name) return &name;
    return nullptr;
  }

  Value *number(Value *v) {
    Type *type = v->getType();
    if (type->isPointerTy()) return b.CreatePtrToInt(v, b.getInt64Ty());
    uint64_t bits = type->isSized() && !type->isScalableTy() ? module.getDataLayout().getTypeSizeInBits(type).getFixedValue() : 0;
    if (bits == 0 || bits > 64 || type->isAggregateType()) return b.getInt64(0);
    if (!type->isIntegerTy()) v = b.CreateBitCast(v, b.getIntNTy(static_cast<unsigned>(bits)));
    return b.CreateZExtOrTrunc(v, b.getInt64Ty());
  }

  FunctionCallee hook(const char *name, unsigned numbers) {
    std::vector<Type *> parameters{b.getPtrTy(), b.getInt64Ty()};
    parameters.insert(parameters.end(), numbers, b.getInt64Ty());
    return module.getOrInsertFunction(name, FunctionType::get(b.getVoidTy(), parameters, false));
  }
  /* The name, and the arguments. */
  std::vector<Value *> told(const CallBase &call, Constant *name) {
    std::vector<Value *> all{name, nullptr};
    uint64_t n = 0;
    for (unsigned i = 0; i < call.arg_size(); i++) {
      if (call.paramHasAttr(i, Attribute::StructRet)) continue;
      if (n++ < NAMED_CALL_ARGUMENTS) all.push_back(number(call.getArgOperand(i)));
    }
    all[1] = b.getInt64(n);
    while (all.size() < 2 + NAMED_CALL_ARGUMENTS) all.push_back(b.getInt64(0));
    return all;
  }
  void tell_call(const CallBase &call, Constant *name) { b.CreateCall(hook(hooks->call, NAMED_CALL_ARGUMENTS), told(call, name)); }
  void tell_return(CallBase &call, Constant *name) {
    bool result = !call.getType()->isVoidTy();
    std::vector<Value *> all = told(call, name);
    all.push_back(b.getInt64(result));
    all.push_back(result ? number(&call) : b.getInt64(0));
    b.CreateCall(hook(hooks->returns, NAMED_CALL_ARGUMENTS + 2), all);
  }

  /* A call that must be the last thing its function does has nothing behind it. */
  void weave_call(CallBase &call, Constant *name) {
    b.SetInsertPoint(&call);
    tell_call(call, name);
    if (call.isMustTailCall()) return;
    if (auto *invoke = dyn_cast<InvokeInst>(&call)) {
      BasicBlock *normal = invoke->getNormalDest();
      if (!normal->getSinglePredecessor()) normal = SplitEdge(invoke->getParent(), normal);
      b.SetInsertPoint(normal, normal->getFirstInsertionPt());
    } else {
      b.SetInsertPoint(call.getNextNode());
    }
    b.SetCurrentDebugLocation(call.getDebugLoc());
    tell_return(call, name);
  }

  /* What stands for the function where its address is taken. */
  Function *stand_in(Function &f) {
    Function *to = Function::Create(f.getFunctionType(), GlobalValue::LinkOnceODRLinkage, "__heddle_told." + f.getName(), module);
    to->copyAttributesFrom(&f);
    to->setDSOLocal(false);
    to->setVisibility(GlobalValue::DefaultVisibility);
    to->setComdat(module.getOrInsertComdat(to->getName()));
    if (f.hasLocalLinkage()) to->setLinkage(GlobalValue::InternalLinkage), to->setComdat(nullptr);
    b.SetInsertPoint(BasicBlock::Create(module.getContext(), "", to));
    b.SetCurrentDebugLocation(DebugLoc());
    std::vector<Value *> arguments;
    for (Argument &a : to->args()) arguments.push_back(&a);
    CallInst *call = b.CreateCall(&f, arguments);
    call->setAttributes(f.getAttributes().removeFnAttributes(module.getContext()));
    call->setCallingConv(f.getCallingConv());
    if (f.getReturnType()->isVoidTy())
      b.CreateRetVoid();
    else
      b.CreateRet(call);
    return to;
  }
  static bool is_address(const Use &u) {
    const auto *call = dyn_cast<CallBase>(u.getUser());
    if (call && call->isCallee(&u)) return false;
    const auto *global = dyn_cast<GlobalVariable>(u.getUser());
    return !isa<GlobalAlias>(u.getUser()) && !isa<GlobalIFunc>(u.getUser()) && !isa<BlockAddress>(u.getUser()) &&
           !(global && global->getName().starts_with("llvm."));
  }

  static bool is_int(Type *type) { return type->isIntegerTy() && type->getIntegerBitWidth() > 1 && type->getIntegerBitWidth() <= 32; }
  /* "int:NAME:BITS": which arguments, and as bit 8 the result, are integers of at most 32 bits, in hexadecimal. */
  std::string integers(const Function &f, const std::string &name) {
    unsigned bits = is_int(f.getReturnType()) ? 1u << NAMED_CALL_ARGUMENTS : 0, n = 0;
    for (const Argument &a : f.args()) {
      if (a.hasStructRetAttr()) continue;
      if (n < NAMED_CALL_ARGUMENTS && is_int(a.getType())) bits |= 1u << n;
      n++;
    }
    return "int:" + name + ":" + utohexstr(bits);
  }

  void weave(Function &f, const std::string &name) {
    Constant *text = string(name);
    known.insert(text);
    note(integers(f, name));
    note(name);
    bool taken = false;
    for (const Use &u : f.uses()) taken |= is_address(u);
    if (taken && !f.isVarArg()) {
      Function *instead = stand_in(f);
      f.replaceUsesWithIf(instead, [](Use &u) { return is_address(u); });
    }
    std::vector<CallBase *> calls;
    for (Use &u : f.uses())
      if (auto *call = dyn_cast<CallBase>(u.getUser()); call && call->isCallee(&u) && !hands_on(*call->getFunction(), f))
        calls.push_back(call);
    for (CallBase *call : calls) weave_call(*call, text);
  }

  void know_marks() {
    const Function *event = module.getFunction("hd_event");
    if (!event) return;
    for (const User *u : event->users()) {
      const auto *call = dyn_cast<CallBase>(u);
      StringRef name;
      if (!call || call->arg_size() == 0) continue;
      if (!getConstantStringInfo(call->getArgOperand(0), name)) name = "*";
      if (hooks->known && name != "*")
        known.insert(string("mark:" + name.str()));
      else
        note("mark:" + name.str());
    }
  }
  /* By the names that places of their code have (src/weave/sites.cc). */
  void know_unwatched() {
    for (const Function &f : module) {
      const DISubprogram *p = hooks->known && f.hasFnAttribute(KEPT_UNWATCHED) ? f.getSubprogram() : nullptr;
      if (p) known.insert(string(NAMED_CALLS_UNWATCHED + (p->getLinkageName().empty() ? p->getName() : p->getLinkageName()).str()));
    }
  }
  void note(const std::string &name) {
    if (hooks->known) return;
    LLVMContext &c = module.getContext();
    module.getOrInsertNamedMetadata(NAMED_CALLS_KNOWN)->addOperand(MDNode::get(c, MDString::get(c, name)));
  }
  void tell_known() {
    if (!hooks->known || known.empty()) return;
    Function *f = Function::Create(FunctionType::get(b.getVoidTy(), false), GlobalValue::InternalLinkage, "heddle.known", module);
    b.SetInsertPoint(BasicBlock::Create(module.getContext(), "", f));
    b.SetCurrentDebugLocation(DebugLoc());
    FunctionCallee tell = module.getOrInsertFunction(hooks->known, b.getVoidTy(), b.getPtrTy());
    for (Constant *name : known) b.CreateCall(tell, {name});
    b.CreateRetVoid();
    appendToGlobalCtors(module, f, 0);
  }

  void run() {
    std::vector<std::pair<Function *, const std::string *>> all;
    for (Function &f : module)
      if (const std::string *name = name_of(f)) all.emplace_back(&f, name);
    for (auto &[f, name] : all) weave(*f, *name);
    know_marks();
    know_unwatched();
    tell_known();
  }
};

}  // namespace

void named_calls_weave(LLVMModuleRef module, const char *names, const struct named_calls_hooks *hooks) {
  Weaver w(*unwrap(module), hooks);
  SmallVector<StringRef> lines;
  StringRef(names ? names : "").split(lines, '\n', -1, false);
  for (StringRef line : lines) w.names.push_back(line.str());
  w.run();
}
