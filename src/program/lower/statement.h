/* An inline assembly statement of AT&T syntax, taken apart: its operands by their constraints, and its text as instructions with operands.
 * What the instructions do is said elsewhere (locked.c).
 *
 * A register operand holds a value: a number of any width, or a pointer. Operands that name a register ("={ax}", "%rax" in the text) share
 * that register's value. Values are NULL as long as nothing was written. */
#pragma once
#include <llvm-c/Core.h>
#include <stdbool.h>

enum { STATEMENT_OPERANDS = 10, STATEMENT_REGISTERS = 16, INSTRUCTION_OPERANDS = 2 };

struct statement_operand {
  LLVMValueRef value; /* of a memory operand: its address */
  bool memory, output;
  unsigned alias; /* the operand whose place it shares: itself, or the one that it is tied to */
  int reg;        /* an index of statement.registers, or -1: any register */
  char flag;      /* of an output that is a flag: 'z' or 'c'; 0: none */
};

struct statement {
  LLVMValueRef call;
  struct statement_operand operands[STATEMENT_OPERANDS];
  LLVMValueRef registers[STATEMENT_REGISTERS]; /* ax, bx, .. */
  unsigned count, outputs;
  const char *text; /* what is left of it */
  char line[256];
};

/* What stands behind a mnemonic. */
struct place {
  enum { PLACE_IMMEDIATE, PLACE_REGISTER, PLACE_MEMORY } kind;
  LLVMValueRef *value; /* PLACE_REGISTER: where it is kept */
  LLVMValueRef base;   /* PLACE_MEMORY: an address, */
  long number;         /* and what is added to it; or the immediate number */
  unsigned bits;       /* of a register that the text names; 0: not known */
};

struct instruction {
  bool lock;
  char mnemonic[16];
  struct place places[INSTRUCTION_OPERANDS];
  unsigned count;
};

/* False: it has constraints that no statement here needs. */
bool statement_read(struct statement *s, LLVMValueRef call);
/* The next instruction; false: there is none, or (*bad) it cannot be read. */
bool statement_next(struct statement *s, struct instruction *i, bool *bad);
/* The register of this name without its size ("ax" of "%eax"); always there. */
LLVMValueRef *statement_register(struct statement *s, const char *name);
