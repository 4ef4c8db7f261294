/* Weaving a function so that its threads tell which way they go by numbers of paths: Ball and Larus ("Efficient path profiling", MICRO
 * 1996), as CLAP does (section 3.1), in place of a bit for each branch.
 *
 *   function begins              path = 0
 *   some ways of branches        path += a number
 *   back to a loop's head        NUMBER(path, bits), path = 0
 *   function returns             NUMBER(path, bits)
 *
 * A path begins where the function does, or behind the end of another one. Those that begin at one place have numbers from 0 on, so the
 * place and the number say which way the thread went. Branches that are settled (settled.h) add nothing. What an exception, a jump or the
 * program's end breaks off is not told. */
#pragma once
#include <stdbool.h>

#include "weave/local.h"

/* False: it has branches whose ways cannot be told apart like that, and nothing was done. */
bool paths_numbered(LLVMValueRef f, struct locals *locals);
