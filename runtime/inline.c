/* The first check of accesses in loops, where time is spent, as heddle cc puts it into the code that it compiles: this file is translated
 * to LLVM's bitcode and linked into each module (src/weave/native.c). What it cannot answer is checks.c's; elsewhere the code calls that at
 * once, or it would be several times as long. */
#include "analysis/access.h"

#define LOOPED(what, writes, size)                                                          \
  __attribute__((preserve_most, cold)) void __heddle_##what##size(uintptr_t p);             \
  void __heddle_looped_##what##size(void *p);                                               \
  __attribute__((always_inline)) void __heddle_looped_##what##size(void *p) {               \
    if (UNLIKELY(!word_covered((uintptr_t)p, writes))) __heddle_##what##size((uintptr_t)p); \
  }
LOOPED(read, false, 1)
LOOPED(read, false, 2)
LOOPED(read, false, 4)
LOOPED(read, false, 8)
LOOPED(write, true, 1)
LOOPED(write, true, 2)
LOOPED(write, true, 4)
LOOPED(write, true, 8)
