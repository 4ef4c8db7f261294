/* Calls of methods, seen at link time: the linker's --wrap=F has calls of F go to __wrap_F, a few instructions that tell the runtime which
 * function it is (runtime/intercept/action.c does the rest). Each is a member of an archive of its own making: what the program does not
 * call is not asked for. */
#pragma once
#include "base/err.h"
#include "program/args.h"

/* Appends to `out` what the linker needs, for the specifications in these files. Libraries in `again` are named again behind it: the
 * functions may be in them. The compiler is that which links. ERR_FORMAT if a file is none. */
[[nodiscard]] enum err wrap_calls(const struct args *files, const struct args *again, const char *compiler, struct args *out,
                                  struct diag *d);
