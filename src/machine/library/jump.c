/* setjmp and longjmp. A jump buffer holds which frame called setjmp(), the call, and the stack pointer; its frame is found again by
 * depth and tag. Values of variables that changed in between are what they are: nothing is copied. */
#include <string.h>

#include "machine/interpret/undefined.h"
#include "machine/interrupt.h"
#include "machine/library/system.h"
#include "machine/memory/access.h"
#include "machine/symbolic/symbolic.h"
#include "machine/sync/sync.h"
#include "machine/sync/table.h"

/* In the bytes of a jmp_buf; also fits the 72 bytes of pthread_cleanup_push()'s buffer. */
struct jump {
  uint64_t seal;    /* JUMP_SEAL */
  uint32_t depth;   /* frames, the caller of setjmp() included */
  uint32_t tag;     /* of that frame */
  uint32_t pc;      /* of the call */
  uint32_t thread;  /* tid */
  uint64_t sp;      /* stack pointer at the call */
  uint64_t cleanup; /* innermost pthread_cleanup_push() */
  uint64_t saves;   /* sigsetjmp() was told to save the mask of signals: */
  uint64_t mask;
};
#define JUMP_SEAL 0x706d756a6c646568u
_Static_assert(sizeof(struct jump) <= 72, "fits a cleanup buffer");

static enum run set_jump(struct machine *m, struct thread *t, uint64_t buffer, bool saves, uint64_t *result) {
  const struct frame *frame = &vec_last(&t->frames);
  struct jump jump = {.seal = JUMP_SEAL,
                      .depth = (uint32_t)t->frames.count,
                      .tag = frame->tag,
                      .pc = frame->pc,
                      .thread = t->tid,
                      .sp = m->memory.regions[t->tid].sp,
                      .cleanup = t->cleanup,
                      .saves = saves && m->process_signals,
                      .mask = m->process_signals ? signals_blocked(m, t) : 0};
  enum run run = access_store(m, t, buffer, &jump, sizeof jump);
  if (run == RUN_GO) *result = 0;
  return run;
}

static BUILTIN(jump_set) { return set_jump(m, t, args[0], false, result); }
static BUILTIN(jump_set_signals) { return set_jump(m, t, args[0], (uint32_t)args[1], result); }

uint32_t jump_depth(uint64_t buffer) {
  struct jump jump;
  if (!in_arena(buffer, sizeof jump)) return UINT32_MAX;
  memcpy(&jump, host_at(buffer), sizeof jump);
  return jump.seal == JUMP_SEAL ? jump.depth : UINT32_MAX;
}

uint64_t jump_stack(const struct thread *t, uint64_t buffer) {
  struct jump jump;
  if (!in_arena(buffer, sizeof jump)) return UINT64_MAX;
  memcpy(&jump, host_at(buffer), sizeof jump);
  return jump.seal == JUMP_SEAL && jump.thread == t->tid ? jump.sp : UINT64_MAX;
}

enum run jump_to(struct machine *m, struct thread *t, uint64_t buffer, uint64_t value) {
  if (access_check(m, t, buffer, sizeof(struct jump), false) != RUN_GO) return RUN_STOP;
  struct jump jump;
  memcpy(&jump, host_at(buffer), sizeof jump);
  if (jump.seal != JUMP_SEAL) return machine_fail(m, t, FINDING_UNINITIALISED, "call", "longjmp to a buffer that setjmp never filled");
  if (jump.thread != t->tid) return machine_fail(m, t, FINDING_USE_AFTER_FREE, "call", "longjmp to a buffer that another thread filled");
  if (jump.depth == 0 || jump.depth > t->frames.count || t->frames.data[jump.depth - 1].tag != jump.tag)
    return machine_fail(m, t, FINDING_USE_AFTER_FREE, "call", "longjmp into a function that has returned");
  if (t->interrupted.count && jump.depth <= t->floor && interrupts_may_leave(m, t) != RUN_GO) return RUN_STOP;
  t->frames.count = jump.depth;
  interrupts_leave(m, t);
  t->carried = 0;
  t->cleanup = jump.cleanup;
  stack_restore(&m->memory, t->tid, jump.sp);
  struct frame *frame = &vec_last(&t->frames);
  const union insn *call = m->image->code + jump.pc;
  frame->pc = jump.pc + insn_words(call);
  for (uint32_t i = 0; t->undefined.count && i < call->c; i++) undefined_set(t, frame->base + call->a + i, 0);
  for (uint32_t i = 0; m->symbolic && i < call->c; i++) symbolic_set(t, frame->base + call->a + i, 0);
  if (call->c) t->slots.data[frame->base + call->a] = (uint32_t)value;
  return RUN_FRAME;
}

/* The mask that was saved is in force again: a step. False: it has yet to be granted. What that lets in may interrupt the thread from then
 * on. */
static bool restore_mask(struct machine *m, struct thread *t, uint64_t buffer) {
  struct jump jump;
  if (!in_arena(buffer, sizeof jump)) return true;
  memcpy(&jump, host_at(buffer), sizeof jump);
  if (jump.seal != JUMP_SEAL || !jump.saves) return true;
  uint64_t word = region_tls(t->tid) + m->signals_offset;
  t->next_order = ORDER_RELAXED;
  if (!sync_visible(m, t, EVENT_WRITE, word, 8, 0, NEED_NOTHING, 0)) return false;
  machine_last_event(m)->value = jump.mask;
  memory_put(&m->memory, word, jump.mask);
  return true;
}

/* It reads the buffer, which is a step where others may write it, and ends what lies behind the frame that it jumps to. */
static BUILTIN(jump_long) {
  enum run run = t->phase ? RUN_GO : access_plain_read(m, t, args[0], sizeof(struct jump));
  if (run != RUN_GO) return run;
  if (t->phase == 0) t->phase = 1, t->carried = 0;
  if (t->phase == 1 && !life_ends(m, t, jump_stack(t, args[0]), m->memory.regions[t->tid].sp)) return RUN_YIELD;
  t->phase = 2;
  if (!restore_mask(m, t, args[0])) return RUN_YIELD;
  t->phase = 0;
  return jump_to(m, t, args[0], (uint32_t)args[1] ? args[1] : 1);
}

const struct builtin jump_builtins[] = {
    {"setjmp", jump_set, 1},
    {"_setjmp", jump_set, 1},
    {"__sigsetjmp", jump_set_signals, 2},
    {"sigsetjmp", jump_set_signals, 2},
    {"longjmp", jump_long, 2},
    {"_longjmp", jump_long, 2},
    {"siglongjmp", jump_long, 2},
    {"__longjmp_chk", jump_long, 2},
    {"__libc_longjmp", jump_long, 2},
    {0},
};
