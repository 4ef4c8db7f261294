/* The door through which clang comes to native.c: LLVM registers passes in C++ alone. clang is told of it by -fpass-plugin; it calls the pass
 * where it would call ThreadSanitizer's, behind all optimisations, so that only what is left of the program is watched. */
#include <dlfcn.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>

#include <string>

extern "C" {
#include "weave/native.h"
}

namespace {

struct NativePass : llvm::PassInfoMixin<NativePass> {
  /* inline.bc lies beside this library. */
  static std::string checks() {
    Dl_info info{};
    dladdr(reinterpret_cast<void *>(&native_weave), &info);
    std::string path = info.dli_fname ? info.dli_fname : "";
    return path.substr(0, path.rfind('/') + 1) + "inline.bc";
  }
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &known) {
    auto &functions = known.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
    if (const char *error = native_weave(llvm::wrap(&module), reinterpret_cast<weave_analyses *>(&functions), checks().c_str()))
      module.getContext().emitError(llvm::Twine("heddle: ") + error);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; } /* also of functions without optimisation */
};

void register_passes(llvm::PassBuilder &builder) {
  builder.registerOptimizerLastEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel) { passes.addPass(NativePass()); });
}

}  // namespace

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "heddle", "1", register_passes};
}
