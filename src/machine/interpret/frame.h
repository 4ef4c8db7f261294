/* Frames of functions, and what calls put into them. For the interpreter's loop alone (interpret.c), which is compiled four times. */
#pragma once
#include <string.h>

#include "base/deadline.h"
#include "machine/internal.h"
#include "machine/interpret/undefined.h"
#include "machine/memory/access.h"
#include "machine/symbolic/symbolic.h"

#define SLOTS_AHEAD     16u
#define STACK_SLOTS_MAX (1u << 23) /* 64 MiB of slots a thread; more is a stack overflow */

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Grows the slots so that `need` exist; false if that is a stack overflow. New ones are zero: whatever looks at a slot that was never
 * written (liveness may call a dead one live) sees the same in every execution. */
static bool slots_reserve(struct machine *m, struct thread *t, size_t need) {
  if (need > STACK_SLOTS_MAX || t->frames.count > STACK_SLOTS_MAX / 16) {
    machine_fail(m, t, FINDING_OUT_OF_BOUNDS, "call", "stack overflow");
    return false;
  }
  if (need > t->slots.count) {
    size_t more = need - t->slots.count + SLOTS_AHEAD;
    memset(vec_push_n(&t->slots, more), 0, more * sizeof *t->slots.data);
  }
  return true;
}

/* As slots_reserve(), and makes room for a frame. */
static bool frame_reserve(struct machine *m, struct thread *t, size_t need) {
  if (!slots_reserve(m, t, need)) return false;
  vec_reserve(&t->frames, 1);
  return true;
}

static uint32_t frame_size(const struct image_function *f) { return f->slots + f->nconstants; }

/* Enters function `f` with its frame at slot `base`, which is `r`, and returns it; parameters are in place, and there is room for a frame.
 */
static inline __attribute__((always_inline)) struct frame *frame_enter(struct machine *m, struct thread *t, uint32_t f,
                                                                       const struct image_function *function, uint32_t base, uint64_t *r,
                                                                       uint32_t given, uint64_t sp) {
  for (; given < function->params; given++) r[given] = 0;
  const uint64_t *from = m->image->constants + function->constants;
  uint64_t *to = r + function->slots;
  for (uint32_t n = function->nconstants; n > 0; n--) {
    *to++ = *from++;
    __asm__("" : "+r"(to)); /* most have one or two: vectorising costs more than it gains */
  }
  struct frame *frame = &t->frames.data[t->frames.count++];
  frame->function = f, frame->base = base, frame->pc = function->code, frame->va = 0;
  frame->tag = t->serial++ << 1 | (function->flags & FUNCTION_MODEL ? FRAME_MODEL : 0);
  frame->sp = sp;
  return frame;
}

static uint64_t variadic_size(const union insn *ip) {
  const union insn *p = ip + 2 + (ip->b + 3) / 4;
  return p->lo ? p->lo : 8;
}

/* Lays out the variadic arguments of the call at `ip` on the caller's stack; their address, or 0 if the execution was stopped. */
static uint64_t variadic_area(struct machine *m, struct thread *t, const struct frame *frame, const union insn *ip, const uint64_t *r) {
  const union insn *p = ip + 2 + (ip->b + 3) / 4;
  uint64_t area = stack_alloc(&m->memory, t->tid, variadic_size(ip), 16);
  if (!area) {
    machine_fail(m, t, FINDING_OUT_OF_BOUNDS, "call", "stack overflow");
    return 0;
  }
  uint32_t n = p->hi;
  memset(shadow_at(area), POISON_STACK_GAP, VARIADIC_SAVED); /* but for arguments */
  for (p++; n > 0; n--, p += 2) {
    uint64_t at = area + p->hi, source = r[p->slots[0]];
    if (p->slots[1] == 0) {
      memcpy(host_at(at), &source, 8);
      memset(shadow_at(at), SHADOW_OK, 8);
      undefined_stored(t, frame->base + p->slots[0], at, 8);
    } else if (p->slots[1] == 1) {
      uint32_t layout = (uint32_t)p[1].word;
      layout_store(m->image, layout, at, r + p->slots[0]);
      memset(shadow_at(at), SHADOW_OK, m->image->layouts[layout].size);
      undefined_stored_layout(m, t, frame->base + p->slots[0], at, layout);
    } else {
      if (access_check(m, t, source, p[1].word, false) != RUN_GO) return 0;
      memcpy(host_at(at), host_at(source), p[1].word);
      memset(shadow_at(at), SHADOW_OK, p[1].word);
    }
  }
  return area;
}

/* A call through a pointer to a variadic extern: its variadic arguments follow the others, as in CALLX. */
static uint32_t extern_variadic(const union insn *ip, const uint64_t *r, uint64_t *arguments, uint32_t n) {
  const union insn *p = ip + 2 + (ip->b + 3) / 4;
  uint32_t count = p->hi;
  for (p++; count > 0 && n < MAX_EXTERN_ARGUMENTS; count--, p += 2) arguments[n++] = r[p->slots[0]];
  return n;
}

/* Words of the call instruction at `p`. */
static uint32_t call_words(const union insn *p) {
  uint32_t n = 2u + (p->b + 3u) / 4u;
  if (p->op == OP_CALLV || p->op == OP_CALLIV) n += 1 + 2 * p[n].hi;
  return n;
}

/* The budget of jumps is spent, or made so by something that ran long: look around. */
static enum run budget_spent(struct machine *m, struct thread *t) {
  m->step_jumps += m->circle.looking ? 1 : BUDGET_SLICE;
  if (deadline_passed) return machine_stop(m, MACHINE_LIMIT);
  if (m->symbolic && symbolic_full(m)) return machine_stop(m, MACHINE_LIMIT);
  if (!m->single && !t->atomic) return patience_spent(m, t);
  m->budget = BUDGET_SLICE;
  if (operations_are_alone(m) && patience_alone(m, t)) return machine_stop(m, MACHINE_BLOCKED);
  if (m->options.insn_limit && m->step_jumps > m->options.insn_limit) return machine_stop(m, MACHINE_LIMIT);
  return RUN_GO;
}
