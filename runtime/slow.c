/* What checks.c calls if it has no answer. The registers are kept, but for r11 and the vector ones
 * (the calling convention preserve_most), so that the code around needs not care; gcc has no such functions, hence the assembler. */
#include "analysis/access.h"

#define ACCESS(what, KIND, size)                                                                                   \
  __attribute__((used)) static void do_##what##size(uintptr_t p, uintptr_t pc) { access_slow(p, size, KIND, pc); } \
  KEEPING("__heddle_slow_" #what #size, "do_" #what #size)

/* NAME: calls FUNCTION with its own argument and where it returns to. 8 registers and that make the stack even again. */
#define KEEPING(name, function)           \
  __asm__(                                \
      ".text\n"                           \
      ".globl " name                      \
      "\n"                                \
      ".hidden " name                     \
      "\n"                                \
      ".type " name ", @function\n" name  \
      ":\n"                               \
      ".cfi_startproc\n"                  \
      "endbr64\n"                         \
      "push %rbp\n"                       \
      ".cfi_def_cfa_offset 16\n"          \
      ".cfi_offset %rbp, -16\n"           \
      "mov %rsp, %rbp\n"                  \
      ".cfi_def_cfa_register %rbp\n"      \
      "push %rax\npush %rcx\npush %rdx\n" \
      "push %rsi\npush %rdi\npush %r8\n"  \
      "push %r9\npush %r10\n"             \
      "mov 8(%rbp), %rsi\n"               \
      "call " function                    \
      "\n"                                \
      "pop %r10\npop %r9\n"               \
      "pop %r8\npop %rdi\npop %rsi\n"     \
      "pop %rdx\npop %rcx\npop %rax\n"    \
      "pop %rbp\n"                        \
      ".cfi_def_cfa %rsp, 8\n"            \
      "ret\n"                             \
      ".cfi_endproc\n"                    \
      ".size " name ", . - " name "\n");

ACCESS(read, SITE_READ, 1)
ACCESS(read, SITE_READ, 2)
ACCESS(read, SITE_READ, 4)
ACCESS(read, SITE_READ, 8)
ACCESS(read, SITE_READ, 16)
ACCESS(write, SITE_WRITE, 1)
ACCESS(write, SITE_WRITE, 2)
ACCESS(write, SITE_WRITE, 4)
ACCESS(write, SITE_WRITE, 8)
ACCESS(write, SITE_WRITE, 16)

__attribute__((used)) static void do_call_begins(uintptr_t pc, uintptr_t back __attribute__((unused))) { call_begins_slow(pc); }
KEEPING("__heddle_call_begins", "do_call_begins")
__attribute__((used)) static void do_call_left(uintptr_t f, uintptr_t back __attribute__((unused))) { call_left((struct frame *)f); }
KEEPING("__heddle_call_left", "do_call_left")
__attribute__((used)) static void do_call_again(uintptr_t f, uintptr_t back __attribute__((unused))) { call_again((struct frame *)f); }
KEEPING("__heddle_call_again", "do_call_again")
