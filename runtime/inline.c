/* The first checks of abi.c once more, as heddle cc puts them into the code that it compiles instead of the compiler's calls: this file is
 * translated to LLVM's bitcode and linked into each module (src/cli/cc.c). What they cannot answer is slow.c's. */
#include "analysis/access.h"

#define KEEPS __attribute__((preserve_most, cold))
#define INSTEAD(name, parameters) \
  void name parameters;           \
  __attribute__((always_inline)) void name parameters

#define ACCESS(what, size, name)                                                                 \
  INSTEAD(name, (void *p)) {                                                                     \
    if (UNLIKELY(!access_##what##_known((uintptr_t)p, size))) heddle_##what##size((uintptr_t)p); \
  }
#define SIZE(what, size)                       \
  KEEPS void heddle_##what##size(uintptr_t p); \
  ACCESS(what, size, __tsan_##what##size)

SIZE(read, 1)
SIZE(read, 2)
SIZE(read, 4)
SIZE(read, 8)
SIZE(read, 16)
SIZE(write, 1)
SIZE(write, 2)
SIZE(write, 4)
SIZE(write, 8)
SIZE(write, 16)
ACCESS(read, 2, __tsan_unaligned_read2)
ACCESS(read, 4, __tsan_unaligned_read4)
ACCESS(read, 8, __tsan_unaligned_read8)
ACCESS(read, 16, __tsan_unaligned_read16)
ACCESS(write, 2, __tsan_unaligned_write2)
ACCESS(write, 4, __tsan_unaligned_write4)
ACCESS(write, 8, __tsan_unaligned_write8)
ACCESS(write, 16, __tsan_unaligned_write16)
ACCESS(read, 8, __tsan_vptr_read)

KEEPS void heddle_call_begins(uintptr_t pc);
KEEPS void heddle_call_ends(void);
INSTEAD(__tsan_func_entry, (void *pc)) {
  if (UNLIKELY(!call_begins((uintptr_t)pc))) heddle_call_begins((uintptr_t)pc);
}
INSTEAD(__tsan_func_exit, (void)) {
  if (UNLIKELY(!call_ends())) heddle_call_ends();
}
