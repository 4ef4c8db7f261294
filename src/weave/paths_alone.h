/* Weaving a function so that it tells nothing while its process has made no thread: until then, who runs it again computes all that it
 * does. (What comes from outside, paths_given.h, is told all the same.)
 *
 *   function begins            if (ALONE())  go on in the copy
 *   in the copy, behind        if (!ALONE()) go on here, behind the same call
 *   a call that may have
 *   made a thread
 *
 * The copy is one of the blocks, within the function, so that its frame and variables are the same ones. ALONE() -> i64 is a call like
 * those of paths.h. A function with few branches and no loop stays as it is: to ask costs what it saves. */
#pragma once
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stddef.h>

/* What is known of the module's functions. */
struct paths_alone;

struct paths_alone *paths_alone_new(LLVMModuleRef module);
void paths_alone_free(struct paths_alone *a);
/* Copies what the function does. `branches`: how many of its branches are to be told; they are told where they were, and are not in the
 * copy. */
void paths_alone_copy(struct paths_alone *a, LLVMValueRef f, size_t branches);
