/* What a program is given from outside by functions of the libraries: the time, random numbers, what the system is like. The log has it,
 * since the machine's own answers may be others. (CLAP, section 3.1: results of external calls.)
 *
 * Functions are those of a table. That a lock was free, or a wait was over, is not from outside: it depends on the schedule, and branches
 * tell of it. */
#pragma once
#include <stdbool.h>

#include "weave/insert.h"

/* Inserts RESULT and BYTES (paths.h) behind the call, if it is one of these functions. */
void paths_given(struct insert *in, LLVMValueRef f, LLVMValueRef call);
