#include <llvm/Linker/Linker.h>

#include <memory>

#include <llvm/IR/Module.h>

extern "C" {
#include "program/lower/link_needed.h"
}

bool link_needed(LLVMModuleRef whole, LLVMModuleRef part) {
  return llvm::Linker::linkModules(*llvm::unwrap(whole), std::unique_ptr<llvm::Module>(llvm::unwrap(part)), llvm::Linker::LinkOnlyNeeded);
}
