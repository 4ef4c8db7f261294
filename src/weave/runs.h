/* Accesses of a loop that go through memory step by step, as those of a copying loop: one call before the loop stands for all of them.
 *
 *   do {                          RUN_READ1(from, n)   RUN_WRITE1(to, n)
 *     *to++ = *from++;            do {
 *   } while (--n);                  *to++ = *from++; ...
 *
 * That is done if all of them will be made once the loop is entered, and nothing in it can order its thread against others: then it makes
 * no difference when they are noted. Accesses of one step may lie side by side, as those of an unrolled loop; places that do not change
 * from step to step are accessed once before the loop. How often a loop is gone through is LLVM's to say (scalar evolution), in C++. */
#pragma once
#include "weave/insert.h"
#include "weave/local.h"

/* Accesses that are done with have metadata of that kind. */
unsigned runs_mark(LLVMModuleRef module);

/* Is the access at that address, by that instruction, to be watched? */
typedef bool runs_watched(void *who, LLVMValueRef access, LLVMValueRef address, bool writes);

/* Weaves the runs of f. */
void runs_weave(struct weave_analyses *a, LLVMValueRef f, struct insert *in, runs_watched *watched, void *who);
