/* Which memory other threads can reach. */
#pragma once
#include "weave/local.h"

/* Is an access of that address to be watched? Not so: locals of the thread's own (local.h), constants and tables of virtual functions, what
 * the compiler adds for its own use. `tbaa`: the kind of metadata. */
bool watched_address(struct locals *l, unsigned tbaa, LLVMValueRef address, bool writes);
