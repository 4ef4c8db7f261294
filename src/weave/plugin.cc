/* The door through which clang comes to native.c: LLVM registers passes in C++ alone. clang is told of it by -fpass-plugin; it calls the
 * pass where it would call ThreadSanitizer's, behind all optimisations, so that only what is left of the program is watched. A second pass,
 * in front of all others, keeps the module as the front end made it: the bitcode for `heddle check`. */
#include <dlfcn.h>
#include <fcntl.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/raw_ostream.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

extern "C" {
#include "program/kept_module.h"
#include "program/named_calls.h"
#include "weave/native.h"
}

namespace {

struct NativePass : llvm::PassInfoMixin<NativePass> {
  static path_how how() {
    const char *number = getenv(WEAVE_PATHS_HOW);
    return number ? static_cast<path_how>(atoi(number)) : PATH_HOW_BITS;
  }
  /* inline.bc lies beside this library. */
  static std::string checks() {
    Dl_info info{};
    dladdr(reinterpret_cast<void *>(&native_weave), &info);
    std::string path = info.dli_fname ? info.dli_fname : "";
    return path.substr(0, path.rfind('/') + 1) + "inline.bc";
  }
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &known) {
    if (const char *bitcode = getenv(WEAVE_PATHS)) {
      if (const char *error = native_weave_paths(llvm::wrap(&module), bitcode, how()))
        module.getContext().emitError(llvm::Twine("heddle: ") + error);
      return llvm::PreservedAnalyses::none();
    }
    if (const char *how = getenv(WEAVE_RECORDING)) {
      native_weave_recording(llvm::wrap(&module), llvm::StringRef(how) == WEAVE_ENFORCING, getenv(WEAVE_STRANGERS) != nullptr);
      return llvm::PreservedAnalyses::none();
    }
    auto &functions = known.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
    if (const char *error = native_weave(llvm::wrap(&module), reinterpret_cast<weave_analyses *>(&functions), checks().c_str()))
      module.getContext().emitError(llvm::Twine("heddle: ") + error);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; } /* also of functions without optimisation */
};

/* Before anything is inlined. */
struct NamedCallsPass : llvm::PassInfoMixin<NamedCallsPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    native_weave_calls(llvm::wrap(&module), getenv(WEAVE_CALLS));
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

/* Optimisations may read what the program would not have read, where that cannot fail: `if (seen) v = data;` without a branch. Functions
 * with this attribute are left as the source has them there. */
struct AsWrittenPass : llvm::PassInfoMixin<AsWrittenPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    for (llvm::Function &f : module)
      if (!f.isDeclaration()) f.addFnAttr(llvm::Attribute::SanitizeThread);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

struct KeepPass : llvm::PassInfoMixin<KeepPass> {
  bool optimises;
  explicit KeepPass(bool optimises) : optimises(optimises) {}

  /* `heddle check` wants all of the debug information, and has no functions of sanitizers. */
  static bool fits(const llvm::Module &module) {
    bool described = false;
    for (const llvm::DICompileUnit *unit : module.debug_compile_units()) {
      if (unit->getEmissionKind() != llvm::DICompileUnit::FullDebug) return false;
      described = true;
    }
    for (const llvm::Function &f : module)
      if (f.isDeclaration() && (f.getName().starts_with("__tsan_") || f.getName().starts_with("__sanitizer_"))) return false;
    return described;
  }
  static std::vector<llvm::Function *> without(llvm::Module &module, llvm::Attribute::AttrKind kind) {
    std::vector<llvm::Function *> had;
    for (llvm::Function &f : module) {
      if (!f.hasFnAttribute(kind)) continue;
      f.removeFnAttr(kind);
      had.push_back(&f);
    }
    return had;
  }
  /* The program's own functions that are not watched. */
  static std::vector<llvm::Function *> unwatched(llvm::Module &module) {
    std::vector<llvm::Function *> all;
    for (llvm::Function &f : module)
      if (!f.isDeclaration() && f.getSubprogram() && !f.hasFnAttribute(llvm::Attribute::SanitizeThread)) all.push_back(&f);
    return all;
  }
  /* An empty file says that the module is not kept. */
  static void write(const llvm::Module &module, const char *path) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return;
    llvm::raw_fd_ostream out(fd, false);
    llvm::WriteBitcodeToFile(module, out);
    out.flush();
    if (out.has_error()) {
      out.clear_error();
      (void)!ftruncate(fd, 0);
    }
    close(fd);
  }
  /* Attributes that are there because this clang is told to prepare for ThreadSanitizer, or not to optimise, are not in the bitcode. */
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    const char *path = getenv(KEPT_MODULE);
    if (!path || !fits(module)) return llvm::PreservedAnalyses::all();
    std::vector<llvm::Function *> marked = unwatched(module);
    for (llvm::Function *f : marked) f->addFnAttr(KEPT_UNWATCHED);
    std::vector<llvm::Function *> watched = without(module, llvm::Attribute::SanitizeThread), plain;
    if (!optimises) plain = without(module, llvm::Attribute::OptimizeNone);
    write(module, path);
    for (llvm::Function *f : marked) f->removeFnAttr(KEPT_UNWATCHED);
    for (llvm::Function *f : watched) f->addFnAttr(llvm::Attribute::SanitizeThread);
    for (llvm::Function *f : plain) f->addFnAttr(llvm::Attribute::OptimizeNone);
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

void register_passes(llvm::PassBuilder &builder) {
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager &passes, llvm::OptimizationLevel level) {
    passes.addPass(KeepPass(level != llvm::OptimizationLevel::O0));
    if (!getenv(WEAVE_RECORDING)) return;
    passes.addPass(AsWrittenPass());
    passes.addPass(NamedCallsPass());
  });
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &passes, llvm::OptimizationLevel) { passes.addPass(NativePass()); });
}

}  // namespace

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "heddle", "1", register_passes};
}
