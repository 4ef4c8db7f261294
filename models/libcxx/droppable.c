/* Makes every definition of a bitcode module droppable (linkonce_odr): a linker takes from it only what a program refers to, and a
 * program's own definition of the same function takes precedence.
 *
 *     droppable IN.bc OUT.bc */
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void make_droppable(LLVMValueRef value) {
  LLVMLinkage linkage = LLVMGetLinkage(value);
  if (linkage == LLVMExternalLinkage || linkage == LLVMWeakODRLinkage || linkage == LLVMWeakAnyLinkage)
    LLVMSetLinkage(value, LLVMLinkOnceODRLinkage);
}

/* llvm.global_ctors and its kind are the linker's own. */
static bool is_special(LLVMValueRef global) {
  size_t length;
  return strncmp(LLVMGetValueName2(global, &length), "llvm.", 5) == 0;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: droppable IN.bc OUT.bc\n");
    return 2;
  }
  char *message = NULL;
  LLVMMemoryBufferRef bytes;
  LLVMModuleRef module;
  if (LLVMCreateMemoryBufferWithContentsOfFile(argv[1], &bytes, &message) != 0) {
    fprintf(stderr, "%s: %s\n", argv[1], message);
    return 2;
  }
  LLVMContextRef context = LLVMContextCreate();
  if (LLVMParseBitcodeInContext2(context, bytes, &module) != 0) {
    fprintf(stderr, "%s is not bitcode\n", argv[1]);
    return 2;
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) make_droppable(f);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g != NULL; g = LLVMGetNextGlobal(g))
    if (!LLVMIsDeclaration(g) && !is_special(g)) make_droppable(g);
  for (LLVMValueRef a = LLVMGetFirstGlobalAlias(module); a != NULL; a = LLVMGetNextGlobalAlias(a)) make_droppable(a);
  int failed = LLVMWriteBitcodeToFile(module, argv[2]);
  if (failed != 0) fprintf(stderr, "%s: cannot write\n", argv[2]);
  LLVMDisposeModule(module);
  LLVMDisposeMemoryBuffer(bytes);
  LLVMContextDispose(context);
  return failed != 0 ? 2 : 0;
}
