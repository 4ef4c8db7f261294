/* Inline assembler: what a call of it does to memory, as far as its constraints and its text say.
 *
 *   asm volatile("lock xaddl %1, %0" : "+m"(*p), "+r"(n) : : "memory");    reads and writes *p, is a fence
 *
 * 1. An operand in memory is read if it is an input, and may be written if it is an output. It is as large as the instruction says that
 *    names it (sources are careless about types: `*(char *)p` for a pointer); where that is none of the usual ones, as its type.
 * 2. Code that has "memory" among what it clobbers is a fence, unless it has no instruction but a hint to the processor: then it only
 *    keeps the compiler from moving accesses, and operands are not accessed.
 * 3. Such code may access memory that is none of its operands, by an address in a register. Where an instruction of known size uses
 *    an operand as an address, as in `lock cmpxchg16b (%2)`, that memory counts as one that is read and written. All else nobody
 *    sees. */
#pragma once
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

enum { ASSEMBLER_OPERANDS = 8, ASSEMBLER_ATOMIC = 8 /* bytes: more are so only for cmpxchg16b */ };

struct assembler_operand {
  LLVMValueRef address;
  uint64_t size;  /* bytes */
  uint64_t named; /* the same, if the text says it; 0: it does not */
  bool reads, writes;
  bool atomic; /* else a block of memory */
};

struct assembler {
  struct assembler_operand operands[ASSEMBLER_OPERANDS];
  unsigned n;
  bool fence;
  bool waits;  /* it may not come to its end before another thread does something: it has a label, or calls something */
  bool unseen; /* it may change other memory */
};

/* Of a call of inline assembler. */
void assembler_read(struct assembler *a, LLVMTargetDataRef data, LLVMValueRef call);
