/* Weaving a module so that its threads tell which way they go (trace/path_format.h; CLAP, section 3.1).
 *
 *   if (x) ...           BIT(x != 0)                    each branch of two ways
 *   switch (y) ...       NUMBER(min(y - least, n), b)   of b bits: the cases lie from `least` on; n: it is none of them
 *
 * Left out are branches that depend on constants and counters of loops alone (settled.h): who runs the thread again computes them. Woven is
 * the module as it is compiled, behind all optimisations: what runs again is what has run.
 *
 * The calls are BIT, `__heddle_path_bit(i64)`, and NUMBER, `__heddle_path_number(i64 number, i64 bits)`. In a native program they are what
 * runtime/paths/inline.c says; in the machine (machine/library/path.c) they say how the thread has gone in the run that is repeated. */
#pragma once
#include <llvm-c/Types.h>

void paths_weave(LLVMModuleRef module);
