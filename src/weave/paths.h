/* Weaving a module so that its threads tell which way they go (trace/path_format.h; CLAP, section 3.1).
 *
 *   if (x) ...           BIT(x != 0)                    each branch of two ways
 *   switch (y) ...       NUMBER(min(y - least, n), b)   of b bits: the cases lie from `least` on; n: it is none of them
 *
 *   v = time(&t)         v = RESULT(v, 64, "time"), BYTES(&t, 8, "time")      what comes from outside: paths_given.h
 *
 * Left out are branches that depend on constants and counters of loops alone (settled.h), and what is done before the process has more than
 * one thread (paths_alone.h): who runs the thread again computes them. Woven is the module as it is compiled, behind all optimisations:
 * what runs again is what has run.
 *
 * BIT(i64), NUMBER(i64 number, i64 bits), RESULT(i64 value, i64 bits, ptr name) -> i64 and BYTES(ptr, i64 size, ptr name) are calls. In a
 * native program they become what paths_native.h says; BYTES is a function of the runtime's. In the machine (machine/library/path.c) the
 * first two tell which way the thread goes, which must be that of the run that is repeated; the next two give what the run was given. */
#pragma once
#include <llvm-c/Types.h>

#include "trace/path_format.h"

#define PATHS_BIT    "__heddle_path_bit"
#define PATHS_NUMBER "__heddle_path_number"
#define PATHS_RESULT "__heddle_path_result"
#define PATHS_BYTES  "__heddle_path_bytes"
#define PATHS_ALONE  "__heddle_path_alone"

void paths_weave(LLVMModuleRef module, enum path_how how);
