/* Bitcode is checked by LLVM's reader, but not all of it: some damage makes LLVM crash, end the process, or go round in circles. The loader
 * then says which file it was, as of any other damage, and ends with its own exit code. */
#pragma once

/* From now on; once. `all` is what to call all files together, and lasts; `seconds` of processor time are more than they can need. */
void crash_catch(const char *all, unsigned seconds);
/* LLVM reads this file now, whose name lasts. NULL: it works on all of them. */
void crash_blame(const char *file);
