/* How a process begins that is given symbolic data (--symbolic-stdin and the like): before its constructors run. */
#include "internal.h"

__attribute__((used)) void __hd_begin(void);
void __hd_begin(void) { __hd_inputs(); }
