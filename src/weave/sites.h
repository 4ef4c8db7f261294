/* The places of a module that hooks are told of by number. A block of names of a trace file (trace/format.h) with all of them is put into
 * the module, and a constructor that hands it to the runtime when the program, or the library, is loaded. The runtime says which number the
 * first place has in this process. */
#pragma once
#include <llvm-c/Types.h>
#include <stddef.h>
#include <stdint.h>

/* For sites.cc, as encoding.h is not C++: how many bytes it is. */
size_t sites_put_number(unsigned char bytes[16], uint64_t n);
enum { SITES_BYTES_MOST = 1 << 20 }; /* TRACE_RAW_MOST */

struct sites;
struct sites *sites_new(LLVMModuleRef module);
/* The number of the instruction's place in the module, from 0 on. Instructions of one line and column of a function have the same. If there
 * are too many, the later ones have that of the last one. */
uint32_t sites_number(struct sites *s, LLVMValueRef instruction);
/* The variable that the first one's number is in. */
LLVMValueRef sites_first(struct sites *s);
/* The instruction may change memory in ways that nobody sees: its place is in the section WEAVE_UNSEEN (program/kept_module.h). */
void sites_unseen(struct sites *s, LLVMValueRef instruction);
/* Adds the block, and the constructor, which calls `hook`, and releases `s`. */
void sites_end(struct sites *s, const char *hook);
