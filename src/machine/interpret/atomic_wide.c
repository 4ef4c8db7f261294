/* Atomic accesses of 16 bytes: the loader calls these. Events have their place and size; their values are the low halves. */
#include <string.h>

#include "machine/interpret/undefined.h"
#include "machine/library/system.h"
#include "machine/memory/access.h"
#include "machine/remark.h"
#include "machine/sync/table.h"
#include "program/insn.h"

typedef unsigned __int128 wide;
typedef __int128 signed_wide;

enum { WIDE = 16 };
_Static_assert(ORDER_SEQ_CST == 5 && RMW_XCHG == 0, "as models/hd_model.h has them");

static wide wide_of(const uint64_t *slots) { return slots[0] | (wide)slots[1] << 64; }

static wide fetch(uint64_t address) {
  wide value;
  memcpy(&value, host_at(address), WIDE);
  return value;
}

static enum run start(struct machine *m, struct thread *t, enum event_op op, uint64_t address, uint64_t order) {
  if (address % WIDE) return machine_fail(m, t, FINDING_OUT_OF_BOUNDS, "atomic", "misaligned atomic access of 16 bytes");
  enum run run = access_atomic_slow(m, t, op, address, WIDE, (enum event_order)(order & 255));
  if (run == RUN_GO) remark_order(m, t, (enum event_order)(order & 255));
  return run;
}

/* The event wrote `after` where `before` was. */
static void finish(struct machine *m, struct thread *t, uint64_t address, wide before, wide after) {
  struct event *e = machine_last_event(m);
  memcpy(host_at(address), &after, WIDE);
  e->value = e->op == EVENT_RMW ? (uint64_t)before : (uint64_t)after;
  if (e->op == EVENT_RMW) e->value2 = (uint64_t)after;
  t->wrote = true;
}

/* What memory had, which may not have been initialised. Whether an exchange was done is defined all the same: padding is compared, too. */
static void give(struct machine *m, uint64_t *result, wide value) {
  result[0] = (uint64_t)value, result[1] = (uint64_t)(value >> 64);
  m->returns_unset = m->unset[0] | m->unset[1];
}

static void keep_unset(const struct machine *m, uint64_t address, wide of) {
  undefined_put(m->unset[0] & (uint64_t)of, address, 8);
  undefined_put(m->unset[1] & (uint64_t)(of >> 64), address + 8, 8);
}

/* Bits of what was there that matter to the result. */
static wide matters(enum rmw_op op, wide operand) {
  return op == RMW_XCHG ? 0 : op == RMW_AND ? operand : op == RMW_OR ? ~operand : ~(wide)0;
}

/* __hd_atomic16_load(address, order) */
static BUILTIN(wide_load) {
  enum run run = start(m, t, EVENT_READ, args[0], args[1]);
  if (run != RUN_GO) return run;
  access_note_unset(m, args[0], WIDE);
  give(m, result, fetch(args[0]));
  access_read_done(m, t, args[0], WIDE, result[0]);
  return RUN_GO;
}

/* __hd_atomic16_store(address, value, order) */
static BUILTIN(wide_store) {
  enum run run = start(m, t, EVENT_WRITE, args[0], args[3]);
  if (run == RUN_GO) finish(m, t, args[0], 0, wide_of(args + 1));
  return run;
}

static bool rmw(enum rmw_op op, wide x, wide y, wide *out) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
  switch (op) {
    case RMW_XCHG:
      return *out = y, true;
    case RMW_ADD:
      return *out = x + y, true;
    case RMW_SUB:
      return *out = x - y, true;
    case RMW_AND:
      return *out = x & y, true;
    case RMW_NAND:
      return *out = ~(x & y), true;
    case RMW_OR:
      return *out = x | y, true;
    case RMW_XOR:
      return *out = x ^ y, true;
    case RMW_MAX:
      return *out = (signed_wide)x > (signed_wide)y ? x : y, true;
    case RMW_MIN:
      return *out = (signed_wide)x < (signed_wide)y ? x : y, true;
    case RMW_UMAX:
      return *out = x > y ? x : y, true;
    case RMW_UMIN:
      return *out = x < y ? x : y, true;
    default:
      return false;
  }
#pragma GCC diagnostic pop
}

/* __hd_atomic16_rmw(address, value, order, enum rmw_op): the value before */
static BUILTIN(wide_rmw) {
  wide after, operand = wide_of(args + 1);
  if (!rmw((enum rmw_op)args[4], 0, 0, &after)) return machine_unsupported(m, t, "this atomic operation on 16 bytes");
  enum run run = start(m, t, EVENT_RMW, args[0], args[3]);
  if (run != RUN_GO) return run;
  wide before = fetch(args[0]);
  rmw((enum rmw_op)args[4], before, operand, &after);
  finish(m, t, args[0], before, after);
  keep_unset(m, args[0], matters((enum rmw_op)args[4], operand));
  give(m, result, before);
  return RUN_GO;
}

/* __hd_atomic16_exchange_if(address, expected, wanted, order, order on failure): the value before, and whether it was the expected one */
static BUILTIN(wide_exchange_if) {
  wide expected = wide_of(args + 1), wanted = wide_of(args + 3);
  enum run run = start(m, t, EVENT_RMW, args[0], args[5]);
  if (run != RUN_GO) return run;
  wide before = fetch(args[0]);
  give(m, result, before);
  result[2] = before == expected;
  if (before == expected) {
    finish(m, t, args[0], before, wanted);
    return RUN_GO;
  }
  keep_unset(m, args[0], ~(wide)0);
  struct event *e = machine_last_event(m);
  e->op = EVENT_READ, e->order = (uint8_t)args[6];
  if (m->buffers) e->flags |= EVENT_DRAINS;
  remark_order(m, t, (enum event_order)e->order);
  access_read_done(m, t, args[0], WIDE, (uint64_t)before);
  return RUN_GO;
}

const struct builtin wide_builtins[] = {{"__hd_atomic16_load", wide_load, 2},
                                        {"__hd_atomic16_store", wide_store, 4},
                                        {"__hd_atomic16_rmw", wide_rmw, 5},
                                        {"__hd_atomic16_exchange_if", wide_exchange_if, 7},
                                        {0}};
