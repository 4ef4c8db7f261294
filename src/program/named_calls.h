/* Calls of functions that properties name (heddle-property(5)), told to whoever asks by calls of its own, which are put into a module as
 * the front end made it, before anything is inlined.
 *
 *   n = list_add(l, 3);     @CALL("list_add", 2, l, 3, 0, ...)
 *                           %n = @list_add(l, 3)
 *                           @RETURN("list_add", 2, l, 3, 0, ..., 1, %n)
 *
 * Where a function's address is taken, that of a function takes its place that does just this: `__heddle_told.list_add`, one in the whole
 * program. So calls through pointers are told, too, unless the function takes any number of arguments.
 *
 * C++ functions are named without their parameters: Queue::push; all of that name are meant. Arguments are numbers: pointers, and the bytes
 * of what has at most eight; 0 for others. Where a structure is returned, its address is no argument; an object's, of a method, is the
 * first one. */
#pragma once
#include <llvm-c/Types.h>

enum { NAMED_CALL_ARGUMENTS = 8 };

/* Names of functions. NAME is a string that ends in a zero. */
struct named_calls_hooks {
  const char *call;    /* (NAME, how many arguments there are, NAMED_CALL_ARGUMENTS numbers): before a call */
  const char *returns; /* (NAME, as before, is there a result, the result): behind it, if it comes back */
  const char *known;   /* (NAME): as the module is loaded, of each that it has, "mark:X" of each HD_EVENT("X"), and "unwatched:F" of
                          each function that shall not be watched (kept_module.h); NULL: not wanted */
};

/* Without `known`, these names are strings of named metadata of the module, and "mark:*" if there is an HD_EVENT() whose name is computed,
 * and of each function "int:NAME:BITS": which of its arguments, and as bit 8 its result, are integers of at most 32 bits (hexadecimal). */
#define NAMED_CALLS_KNOWN "heddle.known"

#define NAMED_CALLS_UNWATCHED "unwatched:" /* RECORDED_UNWATCHED (trace/recorded.h) */

/* `names`: one a line; NULL: none. What is put in belongs to the place of the call. */
void named_calls_weave(LLVMModuleRef module, const char *names, const struct named_calls_hooks *hooks);
