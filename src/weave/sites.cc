#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <map>
#include <set>
#include <string>
#include <tuple>

extern "C" {
#include "program/kept_module.h"
#include "weave/sites.h"
}

using namespace llvm;

struct sites {
  Module *module;
  GlobalVariable *first;
  struct {
    uint32_t strings, sites, methods; /* struct trace_names_head */
  } head{};
  std::string strings, places;
  std::set<std::string> unseen;
  std::map<std::string, uint32_t> string_numbers;
  std::map<std::tuple<uint32_t, uint32_t, unsigned, unsigned>, uint32_t> numbers;

  static void put(std::string &to, uint64_t n) {
    unsigned char bytes[16];
    to.append(reinterpret_cast<char *>(bytes), sites_put_number(bytes, n));
  }
  uint32_t string(StringRef text) {
    if (text.empty()) return 0;
    auto [at, is_new] = string_numbers.try_emplace(text.str(), head.strings + 1);
    if (!is_new) return at->second;
    put(strings, text.size());
    strings.append(text.str());
    return ++head.strings;
  }
  uint32_t number(StringRef file, StringRef function, unsigned line, unsigned column) {
    constexpr size_t most = SITES_BYTES_MOST - 16384;
    if (strings.size() + places.size() + file.size() + function.size() > most) return head.sites - 1;
    auto [at, is_new] = numbers.try_emplace({string(file), string(function), line, column}, head.sites);
    if (!is_new) return at->second;
    for (uint64_t n : {uint64_t{string(file)}, uint64_t{string(function)}, uint64_t{line}, uint64_t{column}}) put(places, n);
    return head.sites++;
  }
};

struct sites *sites_new(LLVMModuleRef module) {
  auto *s = new sites;
  s->module = unwrap(module);
  IntegerType *type = Type::getInt32Ty(s->module->getContext());
  s->first = new GlobalVariable(*s->module, type, false, GlobalValue::InternalLinkage, ConstantInt::get(type, 0), "heddle.first_site");
  return s;
}

/* With the folder that it was compiled in, as programs are built in other ones than their sources are in. */
static std::string path_of(const DIScope *scope) {
  StringRef file = scope->getFilename(), folder = scope->getDirectory();
  if (file.empty() || folder.empty() || file.front() == '/') return file.str();
  file.consume_front("./");
  return (folder + "/" + file).str();
}

/* Where code was inlined, it is the line that was written, not the one that calls it. Names longer than 4 KB are cut. */
uint32_t sites_number(struct sites *s, LLVMValueRef instruction) {
  constexpr size_t longest = 4096;
  const auto *i = unwrap<Instruction>(instruction);
  const DebugLoc &at = i->getDebugLoc();
  const DISubprogram *f = at ? cast<DILocalScope>(at->getScope())->getSubprogram() : i->getFunction()->getSubprogram();
  StringRef function = f ? (f->getLinkageName().empty() ? f->getName() : f->getLinkageName()) : i->getFunction()->getName();
  std::string file = at ? path_of(cast<DIScope>(at->getScope())) : f ? path_of(f) : "";
  return s->number(StringRef(file).take_back(longest), function.take_front(longest), at ? at.getLine() : 0, at ? at.getCol() : 0);
}

void sites_unseen(struct sites *s, LLVMValueRef instruction) {
  const auto *i = unwrap<Instruction>(instruction);
  const DebugLoc &at = i->getDebugLoc();
  if (at)
    s->unseen.insert((at->getScope()->getFilename() + ":" + Twine(at.getLine())).str());
  else
    s->unseen.insert(s->module->getSourceFileName());
}

static void put_unseen(struct sites *s) {
  std::string all;
  for (const std::string &place : s->unseen) all += place + '\0';
  if (all.empty()) return;
  Constant *bytes = ConstantDataArray::getString(s->module->getContext(), all, false);
  auto *places = new GlobalVariable(*s->module, bytes->getType(), true, GlobalValue::InternalLinkage, bytes, "heddle.unseen");
  places->setSection(WEAVE_UNSEEN);
  places->setAlignment(Align(1));
  appendToUsed(*s->module, {places});
}

LLVMValueRef sites_first(struct sites *s) { return wrap(s->first); }

/* Before all constructors of the program, whose accesses have places, too. */
void sites_end(struct sites *s, const char *hook) {
  IRBuilder<> b(s->module->getContext());
  std::string block(reinterpret_cast<char *>(&s->head), sizeof s->head);
  block += s->strings + s->places;
  Constant *bytes = ConstantDataArray::getString(s->module->getContext(), block, false);
  auto *names = new GlobalVariable(*s->module, bytes->getType(), true, GlobalValue::InternalLinkage, bytes, "heddle.names");
  Function *f = Function::Create(FunctionType::get(b.getVoidTy(), false), GlobalValue::InternalLinkage, "heddle.sites_begin", *s->module);
  b.SetInsertPoint(BasicBlock::Create(b.getContext(), "", f));
  FunctionCallee callee = s->module->getOrInsertFunction(hook, b.getInt32Ty(), b.getPtrTy(), b.getInt64Ty(), b.getInt32Ty());
  Value *first = b.CreateCall(callee, {names, b.getInt64(block.size()), b.getInt32(s->head.sites)});
  b.CreateStore(first, s->first);
  b.CreateRetVoid();
  appendToGlobalCtors(*s->module, f, 0);
  put_unseen(s);
  delete s;
}
