/* What instructions have in common, as macros: they name the variables and labels of the one function that they are for (interpret.c). */
#pragma once
#include "machine/interpret/frame.h"
#include "machine/interpret/real.h"
#include "machine/interpret/slots.h"

#define LOAD_BITS(type) ((type)0x6868686868686868ull)
#define LOAD_OK(type)   ((type)0x2020202020202020ull)

#ifdef FOLLOWS
#define NEXT()                                    \
  do {                                            \
    follow_insn(m, t, frame, ip, r);              \
    if (UNLIKELY(t->undefined.count)) goto check; \
    goto *labels[ip->op];                         \
  } while (0)
#elif defined SYMBOLIC
#define NEXT()                                    \
  do {                                            \
    symbolic_insn(m, t, frame, ip, r);            \
    if (UNLIKELY(t->undefined.count)) goto check; \
    goto *labels[ip->op];                         \
  } while (0)
#elif defined CHECKS
#define NEXT() goto check
#else
#define NEXT() goto *labels[ip->op]
#endif
/* A load of uninitialised bytes, or a store of what may be undefined, is done; SKIP() follows. Memory that may have been symbolic was
 * written, or copied. */
#ifdef SYMBOLIC
#define LOADED(address, bytes) \
  (undefined_loaded(t, frame->base + ip->a, address, bytes), symbolic_loaded(m, t, frame->base + ip->a, address, bytes))
#define STORED(address, bytes) \
  (undefined_stored(t, frame->base + ip->a, address, bytes), symbolic_stored(m, t, frame->base + ip->a, address, bytes))
#define OVERWRITTEN(address, bytes) symbolic_forget(m, address, bytes)
#define COPIED(to, from, bytes)     (m->single ? symbolic_copied(m, to, from, bytes) : symbolic_forget(m, to, bytes))
#elif defined CHECKS
#define LOADED(address, bytes) undefined_loaded(t, frame->base + ip->a, address, bytes)
#define STORED(address, bytes) undefined_stored(t, frame->base + ip->a, address, bytes)
#else
#define LOADED(address, bytes) (void)0
#define STORED(address, bytes) (void)0
#endif
/* An atomic update comes next, with what is in these two slots; it was done, or not yet. Where memory was not initialised its results are
 * not defined. */
#ifdef SYMBOLIC
#define OPERANDS(x, y)            symbolic_operands(&m->symbolic->update, t, frame, r, (const uint32_t[]){x, y})
#define SYMBOLIC_UPDATED(updated) updated(m, t, frame->base + ip->a, ip, place)
#else
#define OPERANDS(x, y)            (void)0
#define SYMBOLIC_UPDATED(updated) (void)0
#endif
#ifdef CHECKS
#define MASK(slot) undefined_mask(t, frame->base + (slot))
#else
#define MASK(slot) 0
#endif
#define UPDATE(first, second)                                          \
  struct undefined_pair operands = {.y = r[first], .my = MASK(first)}; \
  [[maybe_unused]] const uint64_t other = MASK(second);                \
  place = r[ip->b];                                                    \
  OPERANDS(first, second)
#ifdef CHECKS
#define UPDATED(defined, updated)                                           \
  if (run != RUN_GO && run != RUN_SWITCH) goto stop;                        \
  operands.x = r[ip->a], operands.mx = run == RUN_SWITCH ? m->unset[0] : 0; \
  defined;                                                                  \
  SYMBOLIC_UPDATED(updated);                                                \
  SKIP(2)
#else
#define UPDATED(defined, updated)                     \
  if (run != RUN_GO) {                                \
    if (run != RUN_SWITCH) goto stop;                 \
    operands.x = r[ip->a], operands.mx = m->unset[0]; \
    defined;                                          \
    ip += 2;                                          \
    goto undefined;                                   \
  }                                                   \
  SKIP(2)
#endif
/* A builtin has returned, to its caller's slots. */
#ifdef SYMBOLIC
#define RETURNED() symbolic_returned(m, t, frame->base + ip->a)
#else
#define RETURNED() (void)0
#endif
#ifndef SYMBOLIC
#define OVERWRITTEN(address, bytes) (void)0
#define COPIED(to, from, bytes)     (void)0
#endif
#define OWN_MEMORY()                                              \
  do {                                                            \
    low = t->low, span = t->span;                                 \
    if (UNLIKELY(m->single)) low = ARENA_BASE, span = ARENA_SIZE; \
  } while (0)
#define SKIP(n) \
  do {          \
    ip += (n);  \
    NEXT();     \
  } while (0)
/* After what may have taken long: has the time ended meanwhile? The next jump sees it. */
#define LOOK() (UNLIKELY(deadline_passed) ? (void)(budget = 0) : (void)0)
#define SITE()                                                                                               \
  (frame->pc = (uint32_t)(ip - code), m->site = image->code_sites[frame->pc], m->insn_from = m->trace.count, \
   UNLIKELY(frame->tag & FRAME_MODEL) ? machine_blame_program(m, t) : (void)0)
/* Where others may come near, the beginning or end of a local's life may be a step. */
#define LIFE(near, done)                \
  do {                                  \
    if (UNLIKELY(near) && !m->single) { \
      SITE();                           \
      if (!(done)) goto yield;          \
    }                                   \
  } while (0)
#define FRAME_MEETS() (m->memory.regions[t->tid].sp < m->memory.regions[t->tid].stack_high)
#define JUMP(offset)                        \
  do {                                      \
    ip += (offset);                         \
    if (UNLIKELY(--budget < 0)) goto spent; \
    NEXT();                                 \
  } while (0)
#define JUMP_IF(condition)               \
  do {                                   \
    if (condition) JUMP((int16_t)ip->c); \
    SKIP(1);                             \
  } while (0)
#define BINARY(name, expression)         \
  L_##name : {                           \
    uint64_t x = r[ip->b], y = r[ip->c]; \
    r[ip->a] = (uint64_t)(expression);   \
    SKIP(1);                             \
  }
#define BINARY_S(name, expression)                                \
  L_##name : {                                                    \
    uint64_t x = r[ip->b], y = (uint64_t)(int64_t)(int16_t)ip->c; \
    r[ip->a] = (uint64_t)(expression);                            \
    SKIP(1);                                                      \
  }
#define BINARY_U(name, expression)     \
  L_##name : {                         \
    uint64_t x = r[ip->b], y = ip->c;  \
    r[ip->a] = (uint64_t)(expression); \
    SKIP(1);                           \
  }
#define UNARY(name, expression)        \
  L_##name : {                         \
    uint64_t x = r[ip->b];             \
    r[ip->a] = (uint64_t)(expression); \
    SKIP(1);                           \
  }
#define JUMP2(name, expression)          \
  L_##name : {                           \
    uint64_t x = r[ip->a], y = r[ip->b]; \
    JUMP_IF(expression);                 \
  }
#define JUMP2_S(name, expression)                                 \
  L_##name : {                                                    \
    uint64_t x = r[ip->a], y = (uint64_t)(int64_t)(int16_t)ip->b; \
    JUMP_IF(expression);                                          \
  }
#define JUMP2_U(name, expression)     \
  L_##name : {                        \
    uint64_t x = r[ip->a], y = ip->b; \
    JUMP_IF(expression);              \
  }
#define LOAD(type, address_)                                                                                             \
  {                                                                                                                      \
    uint64_t address = (address_);                                                                                       \
    if (UNLIKELY(address - low >= span) || UNLIKELY((*(type *)shadow_at(address) & LOAD_BITS(type)) != LOAD_OK(type))) { \
      place = address, size = sizeof(type);                                                                              \
      goto slow_load;                                                                                                    \
    }                                                                                                                    \
    r[ip->a] = *(type *)host_at(address);                                                                                \
    LOADED(address, sizeof(type));                                                                                       \
    SKIP(1);                                                                                                             \
  }
#define STORE(type, address_)                                                                        \
  {                                                                                                  \
    uint64_t address = (address_);                                                                   \
    if (UNLIKELY(address - low >= span) || UNLIKELY(*(type *)shadow_at(address) != LOAD_OK(type))) { \
      place = address, size = sizeof(type);                                                          \
      goto slow_store;                                                                               \
    }                                                                                                \
    t->wrote_private = true;                                                                         \
    *(type *)host_at(address) = (type)r[ip->a];                                                      \
    STORED(address, sizeof(type));                                                                   \
    SKIP(1);                                                                                         \
  }
#define F(s)   slot_float(s)
#define G(s)   slot_double(s)
#define X80(s) slots_fp80(&r[s])
#define W(s)   slots_wide(&r[s])
#define WIDE(name, expression)           \
  L_##name : {                           \
    u128 x = W(ip->b), y = W(ip->c);     \
    wide_slots(&r[ip->a], (expression)); \
    SKIP(1);                             \
  }
#define WIDE_CMP(name, expression)     \
  L_##name : {                         \
    u128 x = W(ip->b), y = W(ip->c);   \
    r[ip->a] = (uint64_t)(expression); \
    SKIP(1);                           \
  }
#define FP80(name, expression)                  \
  L_##name : {                                  \
    long double x = X80(ip->b), y = X80(ip->c); \
    fp80_slots(&r[ip->a], (expression));        \
    SKIP(1);                                    \
  }
#define DIVISION(name, type, expression)         \
  L_##name : {                                   \
    type x = (type)r[ip->b], y = (type)r[ip->c]; \
    if (UNLIKELY(y == 0)) goto division_by_zero; \
    r[ip->a] = (uint64_t)(expression);           \
    SKIP(1);                                     \
  }
/* INT_MIN / -1 traps on hardware, as x % -1 does there. */
#define DIVISION_SIGNED(name, type, unsigned_type, minimum, expression)      \
  L_##name : {                                                               \
    type x = (type)r[ip->b], y = (type)r[ip->c];                             \
    if (UNLIKELY(y == 0)) goto division_by_zero;                             \
    if (UNLIKELY(y == -1) && UNLIKELY(x == minimum)) goto division_overflow; \
    r[ip->a] = (unsigned_type)(expression);                                  \
    SKIP(1);                                                                 \
  }
