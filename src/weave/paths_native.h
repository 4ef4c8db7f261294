/* What the calls that paths.h weaves are in a native program: ALONE() reads a variable, and for the others the present word of the thread's log is kept in a register, and stored each
 * time something is appended to it, so that the log has it whatever happens next.
 *
 *   function begins, a call returns:   at = hd_paths.at;  word = *at
 *   BIT(b):                            if (word has no room)  NEXT(), at = hd_paths.at, word = *at
 *                                      word = 2 * word + b;  *at = word
 *
 * So a branch costs a test, a shift, and a store that nothing waits for; no atomic operation, no fence, and no call but one in 63 branches.
 */
#pragma once
#include <llvm-c/Types.h>

void paths_native(LLVMModuleRef module);
