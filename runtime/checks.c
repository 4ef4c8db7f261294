/* What code that heddle cc has compiled asks of an access if the first check, which lies in that code (inline.c), has no answer; and where
 * functions begin and end, if it is not as usual. All registers are kept but r11 and the vector registers (the calling convention
 * preserve_most), so that the code around needs not care. gcc has no such functions: this file is clang's. What it cannot answer is
 * slow.c's. */
#include "analysis/access.h"

#define KEEPS  __attribute__((preserve_most, visibility("default")))
#define SLOWLY __attribute__((preserve_most, visibility("hidden")))
#define THEN   __attribute__((musttail)) return

/* NAME: asks NEXT if `known` is false. */
#define CHECK(name, next, known)          \
  SLOWLY void next(uintptr_t p);          \
  KEEPS void name(uintptr_t p);           \
  KEEPS void name(uintptr_t p) {          \
    if (UNLIKELY(!(known))) THEN next(p); \
  }
#define ALIGNED(what, writes, size) CHECK(__heddle_##what##size, __heddle_slow_##what##size, part_covered(p, size, writes))
#define ANY(name, what, size, writes) \
  CHECK(name, __heddle_slow_##what##size, (p & 7) + size > 8 ? words_covered(p, size, writes) : access_##what##_known(p, size))

ALIGNED(read, false, 1)
ALIGNED(read, false, 2)
ALIGNED(read, false, 4)
ALIGNED(read, false, 8)
ALIGNED(write, true, 1)
ALIGNED(write, true, 2)
ALIGNED(write, true, 4)
ALIGNED(write, true, 8)
ANY(__heddle_read16, read, 16, false)
ANY(__heddle_write16, write, 16, true)
ANY(__heddle_unaligned_read2, read, 2, false)
ANY(__heddle_unaligned_read4, read, 4, false)
ANY(__heddle_unaligned_read8, read, 8, false)
ANY(__heddle_unaligned_read16, read, 16, false)
ANY(__heddle_unaligned_write2, write, 2, true)
ANY(__heddle_unaligned_write4, write, 4, true)
ANY(__heddle_unaligned_write8, write, 8, true)
ANY(__heddle_unaligned_write16, write, 16, true)

/* The frame of a call that could not be kept is the last. */
SLOWLY void __heddle_call_begins(uintptr_t pc);
SLOWLY void __heddle_call_left(struct frame *f);
SLOWLY void __heddle_call_again(struct frame *f);
KEEPS struct frame *__heddle_enter(uintptr_t pc);
KEEPS void __heddle_leave(struct frame *f);
KEEPS void __heddle_caught(struct frame *f);

KEEPS struct frame *__heddle_enter(uintptr_t pc) {
  struct frame *f = hd_fast.top;
  if (LIKELY(call_begins(pc))) return f;
  __heddle_call_begins(pc);
  return hd_fast.top == hd_fast.last ? hd_fast.last : hd_fast.top - 1;
}
KEEPS void __heddle_leave(struct frame *f) {
  if (UNLIKELY(hd_fast.top != f + 1)) THEN __heddle_call_left(f);
  hd_fast.top = f;
}
KEEPS void __heddle_caught(struct frame *f) {
  if (UNLIKELY(hd_fast.top != f + 1)) THEN __heddle_call_again(f);
}
