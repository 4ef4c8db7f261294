/* Counts the instructions that a program executes: adds a counter to every basic block of its bitcode, and prints it at the end of main.
 *
 *     count IN.bc OUT.bc
 *
 * OUT.bc prints the number of IR instructions of IN.bc's own functions on standard output (phi nodes and debug intrinsics left out).
 * Both machines of the benchmark run IN.bc; the counted program runs in lli's compiler, once. */
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdio.h>

static LLVMTypeRef word;
static LLVMValueRef counter;

static bool counts(LLVMValueRef i) { return LLVMGetInstructionOpcode(i) != LLVMPHI && !LLVMIsADbgInfoIntrinsic(i); }

static void add_print(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef at) {
  LLVMValueRef print = LLVMGetNamedFunction(module, "printf");
  LLVMTypeRef text = LLVMPointerType(word, 0);
  LLVMTypeRef type = LLVMFunctionType(LLVMInt32Type(), &text, 1, true);
  if (!print) print = LLVMAddFunction(module, "printf", type);
  LLVMPositionBuilderBefore(b, at);
  LLVMValueRef arguments[] = {LLVMBuildGlobalStringPtr(b, "%ld\n", ""), LLVMBuildLoad2(b, word, counter, "")};
  LLVMBuildCall2(b, type, print, arguments, 2, "");
}

static void count_block(LLVMModuleRef module, LLVMBuilderRef b, LLVMBasicBlockRef block, bool is_main) {
  unsigned n = 0;
  LLVMValueRef first = NULL;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
    n += counts(i);
    if (!first && counts(i)) first = i;
  }
  LLVMPositionBuilderBefore(b, first);
  LLVMValueRef sum = LLVMBuildAdd(b, LLVMBuildLoad2(b, word, counter, ""), LLVMConstInt(word, n, false), "");
  LLVMBuildStore(b, sum, counter);
  LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
  if (is_main && LLVMGetInstructionOpcode(last) == LLVMRet) add_print(module, b, last);
}

int main(int argc, char **argv) {
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef module;
  char *message = NULL;
  if (argc != 3) return fprintf(stderr, "usage: count IN.bc OUT.bc\n"), 2;
  if (LLVMCreateMemoryBufferWithContentsOfFile(argv[1], &buffer, &message)) return fprintf(stderr, "count: %s\n", message), 2;
  if (LLVMParseBitcode2(buffer, &module)) return fprintf(stderr, "count: %s is no bitcode\n", argv[1]), 2;
  word = LLVMInt64Type();
  counter = LLVMAddGlobal(module, word, "instructions");
  LLVMSetInitializer(counter, LLVMConstNull(word));
  LLVMBuilderRef b = LLVMCreateBuilder();
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    size_t n;
    const char *name = LLVMGetValueName2(f, &n);
    bool is_main = n == 4 && name[0] == 'm' && name[1] == 'a' && name[2] == 'i' && name[3] == 'n';
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k)) count_block(module, b, k, is_main);
  }
  return LLVMWriteBitcodeToFile(module, argv[2]);
}
