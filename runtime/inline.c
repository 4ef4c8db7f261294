/* The first check of each access, and the stack of calls, as heddle cc puts them into the code that it compiles: this file is translated to
 * LLVM's bitcode and linked into each module (src/weave/native.c). In loops, where time is spent, the check is in the code; elsewhere the
 * code calls it, or it would be several times as long. A program has one copy of what is called, which is near: the call needs no address
 * from the linker's tables, and debuggers need not be told where it goes. What these cannot answer is checks.c's. */
#include "analysis/access.h"

#define KEEPS __attribute__((preserve_most))
#define NEAR  __attribute__((preserve_most, noinline))
#define THEN  __attribute__((musttail)) return

/* NAME: asks __heddle_WHAT, which is checks.c's, if `known` is false. */
#define CHECK(name, what, known)                     \
  KEEPS void __heddle_##what(uintptr_t p);           \
  NEAR void name(uintptr_t p);                       \
  NEAR void name(uintptr_t p) {                      \
    if (UNLIKELY(!(known))) THEN __heddle_##what(p); \
  }
#define ALIGNED(what, writes, size)                                                                \
  CHECK(__heddle_near_##what##size, what##size, word_covered(p, writes))                           \
  CHECK(__heddle_beyond_##what##size, what##size, false)                                           \
  void __heddle_looped_##what##size(void *p);                                                      \
  __attribute__((always_inline)) void __heddle_looped_##what##size(void *p) {                      \
    if (UNLIKELY(!word_covered((uintptr_t)p, writes))) __heddle_beyond_##what##size((uintptr_t)p); \
  }
#define ANY(what) CHECK(__heddle_near_##what, what, false)

ALIGNED(read, false, 1)
ALIGNED(read, false, 2)
ALIGNED(read, false, 4)
ALIGNED(read, false, 8)
ALIGNED(write, true, 1)
ALIGNED(write, true, 2)
ALIGNED(write, true, 4)
ALIGNED(write, true, 8)
ANY(read16)
ANY(write16)
ANY(unaligned_read2)
ANY(unaligned_read4)
ANY(unaligned_read8)
ANY(unaligned_read16)
ANY(unaligned_write2)
ANY(unaligned_write4)
ANY(unaligned_write8)
ANY(unaligned_write16)

/* A function's frame is where its caller's is on the stack of calls; it is put back when the function is left, whatever was thrown or
 * jumped over in between. */
KEEPS struct frame *__heddle_enter(uintptr_t pc);
KEEPS void __heddle_leave(struct frame *f);
KEEPS void __heddle_caught(struct frame *f);
NEAR struct frame *__heddle_near_enter(uintptr_t pc);
NEAR void __heddle_near_leave(struct frame *f);
NEAR void __heddle_near_caught(struct frame *f);

NEAR struct frame *__heddle_near_enter(uintptr_t pc) {
  struct frame *f = hd_fast.top;
  if (UNLIKELY(!call_begins(pc))) THEN __heddle_enter(pc);
  return f;
}
NEAR void __heddle_near_leave(struct frame *f) {
  if (UNLIKELY(hd_fast.top != f + 1)) THEN __heddle_leave(f);
  hd_fast.top = f;
}
NEAR void __heddle_near_caught(struct frame *f) {
  if (UNLIKELY(hd_fast.top != f + 1)) THEN __heddle_caught(f);
}
