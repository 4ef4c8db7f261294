/* What the calls that paths.h weaves are in a native program: ALONE() reads a variable. For the others the present word of the thread's log
 * is kept in a register, and stored each time something is appended to it, so that the log has it whatever happens next.
 *
 *   function begins, a call returns:   at = hd_paths.at;  word = *at
 *   BIT(b):                            word = word + word;  if (that overflows)  NEXT(), at = hd_paths.at, word = 2 * *at
 *                                      word = word | b;  *at = word
 *
 * So a branch costs an addition, a branch that is never taken, and a store that nothing waits for, and where the bit is 1 one instruction
 * more; no atomic operation, no fence, and no call but one in 63 branches.
 */
#pragma once
#include <llvm-c/Types.h>

void paths_native(LLVMModuleRef module);
