#include "machine/interpret/atomic.h"

#include <math.h>

#include "machine/interpret/slots.h"
#include "machine/interpret/undefined.h"
#include "machine/memory/access.h"
#include "machine/remark.h"

static inline uint64_t fetch(uint64_t address, unsigned size) {
  const void *p = host_at(address);
  return size == 4 ? *(const uint32_t *)p : size == 8 ? *(const uint64_t *)p : size == 1 ? *(const uint8_t *)p : *(const uint16_t *)p;
}

static inline void put(uint64_t address, unsigned size, uint64_t value) {
  void *p = host_at(address);
  if (size == 4)
    *(uint32_t *)p = (uint32_t)value;
  else if (size == 8)
    *(uint64_t *)p = value;
  else if (size == 1)
    *(uint8_t *)p = (uint8_t)value;
  else
    *(uint16_t *)p = (uint16_t)value;
}

static inline enum run check_aligned(struct machine *m, struct thread *t, uint64_t address, unsigned size) {
  if (__builtin_expect((address & (size - 1)) == 0, 1)) return RUN_GO;
  return machine_fail(m, t, FINDING_OUT_OF_BOUNDS, "atomic", "misaligned atomic access of %u bytes", size);
}

enum run atomic_load(struct machine *m, struct thread *t, const union insn *ip, uint64_t *r) {
  unsigned size = ip->c & 255;
  uint64_t address = r[ip->b];
  enum run run = check_aligned(m, t, address, size);
  if (run != RUN_GO) return run;
  enum event_order order = (enum event_order)(ip->c >> 8);
  bool slowly;
  if ((run = access_atomic_how(m, t, EVENT_READ, address, size, order, &slowly)) != RUN_GO) return run;
  remark_order(m, t, order);
  r[ip->a] = fetch(address, size);
  if (!m->single) access_read_done(m, t, address, size, r[ip->a]);
  return slowly && uninitialised_any(address, size) ? RUN_SWITCH : RUN_GO;
}

enum run atomic_store(struct machine *m, struct thread *t, const union insn *ip, uint64_t *r) {
  unsigned size = ip->c & 255;
  uint64_t address = r[ip->b];
  enum run run = check_aligned(m, t, address, size);
  if (run != RUN_GO) return run;
  enum event_order order = (enum event_order)(ip->c >> 8);
  if ((run = access_atomic(m, t, EVENT_WRITE, address, size, order)) != RUN_GO) return run;
  remark_order(m, t, order);
  machine_last_event(m)->value = low_bits(r[ip->a], size * 8);
  t->wrote = true;
  put(address, size, r[ip->a]);
  return RUN_GO;
}

static uint64_t rmw_float(enum rmw_op op, uint64_t x, uint64_t y, unsigned size) {
  double a = size == 4 ? (double)slot_float(x) : slot_double(x), b = size == 4 ? (double)slot_float(y) : slot_double(y);
  double z = op == RMW_FADD ? a + b : op == RMW_FSUB ? a - b : op == RMW_FMAX ? fmax(a, b) : fmin(a, b);
  return size == 4 ? float_slot((float)z) : double_slot(z);
}

static uint64_t rmw_result(enum rmw_op op, uint64_t x, uint64_t y, unsigned size) {
  unsigned width = size * 8;
#define SIGNED(v) sign_bits(v, width)
  switch (op) {
    case RMW_XCHG:
      return y;
    case RMW_ADD:
      return x + y;
    case RMW_SUB:
      return x - y;
    case RMW_AND:
      return x & y;
    case RMW_NAND:
      return ~(x & y);
    case RMW_OR:
      return x | y;
    case RMW_XOR:
      return x ^ y;
    case RMW_MAX:
      return SIGNED(x) > SIGNED(y) ? x : y;
    case RMW_MIN:
      return SIGNED(x) < SIGNED(y) ? x : y;
    case RMW_UMAX:
      return x > y ? x : y;
    case RMW_UMIN:
      return x < y ? x : y;
    case RMW_UINC_WRAP:
      return x >= y ? 0 : x + 1;
    case RMW_UDEC_WRAP:
      return x == 0 || x > y ? y : x - 1;
    case RMW_FADD:
    case RMW_FSUB:
    case RMW_FMAX:
    case RMW_FMIN:
      return rmw_float(op, x, y, size);
  }
  return 0;
}

/* A read-modify-write that leaves the value as it was is a read to a spinning loop. */
static void rmw_done(struct machine *m, struct thread *t, uint64_t address, unsigned size, uint64_t old, uint64_t new) {
  if (m->single) {
    t->wrote = true;
    return;
  }
  struct event *e = machine_last_event(m);
  e->value = old, e->value2 = new;
  if (old == new)
    spin_note(m, t, vec_last(&t->frames).pc, address, size, old, false);
  else
    t->wrote = true;
}

enum run atomic_rmw(struct machine *m, struct thread *t, const union insn *ip, uint64_t *r) {
  unsigned size = ip[1].hi & 255;
  uint64_t address = r[ip->b];
  enum run run = check_aligned(m, t, address, size);
  if (run != RUN_GO) return run;
  enum event_order order = (enum event_order)(ip[1].hi >> 8 & 255);
  bool slowly;
  if ((run = access_atomic_how(m, t, EVENT_RMW, address, size, order, &slowly)) != RUN_GO) return run;
  remark_order(m, t, order);
  uint64_t old = fetch(address, size), new = low_bits(rmw_result((enum rmw_op)ip[1].lo, old, r[ip->c], size), size * 8);
  put(address, size, new);
  r[ip->a] = old;
  rmw_done(m, t, address, size, old, new);
  return slowly && m->unset[0] ? RUN_SWITCH : RUN_GO;
}

enum run atomic_cas(struct machine *m, struct thread *t, const union insn *ip, uint64_t *r) {
  unsigned size = ip[1].hi & 255;
  uint64_t address = r[ip->b], expected = r[ip->c], desired = r[ip[1].lo];
  enum run run = check_aligned(m, t, address, size);
  if (run != RUN_GO) return run;
  enum event_order order = (enum event_order)(ip[1].hi >> 8 & 255);
  bool slowly;
  if ((run = access_atomic_how(m, t, EVENT_RMW, address, size, order, &slowly)) != RUN_GO) return run;
  remark_order(m, t, order);
  uint64_t old = fetch(address, size);
  bool exchanged = old == expected;
  if (exchanged) {
    put(address, size, desired);
    rmw_done(m, t, address, size, old, desired);
  } else if (!m->single) {
    struct event *e = machine_last_event(m);
    e->op = EVENT_READ, e->order = (uint8_t)(ip[1].hi >> 16 & 255);
    remark_order(m, t, (enum event_order)e->order);
    if (m->buffers) e->flags |= EVENT_DRAINS;
    access_read_done(m, t, address, size, old);
  }
  r[ip->a] = old, r[ip->a + 1] = exchanged;
  return slowly && m->unset[0] ? RUN_SWITCH : RUN_GO;
}
