/* The interpreter's loop. One instruction set (program/opcode.h), threaded by computed goto; what is rare lives in other files.
 *
 * The file is compiled four times: as interpret(); by interpret_followed.c, as interpret_followed(), which calls follow_insn() before each
 * instruction; by interpret_symbolic.c, as interpret_symbolic(), which calls symbolic_insn(); and by interpret_checked.c, as
 * interpret_checked(), which calls undefined_insn().
 *
 * A load is done in place when its address lies in [low, low + span) -- the thread's own region, or the whole arena while it is the
 * only thread -- and its shadow bytes are exactly OK (CLEAN and READONLY do not matter to loads). Everything else is access.c's.
 *
 * The file is long because the loop is one function: each instruction ends by a jump to the next one's label, and labels are known within
 * their function alone; the compiler keeps `ip`, `r`, `low` and `span` in registers throughout. Frames and calls are in frame.h, what
 * instructions have in common in operations.h. */
#include <math.h>
#include <string.h>

#include "base/deadline.h"
#include "machine/internal.h"
#include "machine/interpret/atomic.h"
#include "machine/interpret/frame.h"
#include "machine/interpret/intrinsic.h"
#include "machine/interpret/operations.h"
#include "machine/interpret/slots.h"
#include "machine/interpret/undefined.h"
#include "machine/memory/access.h"
#include "machine/remark.h"
#include "machine/symbolic/symbolic.h"

#ifndef CHECKS
bool frame_push(struct machine *m, struct thread *t, uint32_t f, const uint64_t *params, uint32_t n) {
  const struct image_function *function = &m->image->functions[f];
  uint32_t base = 0;
  if (t->frames.count) {
    const struct frame *caller = &vec_last(&t->frames);
    base = caller->base + frame_size(&m->image->functions[caller->function]);
    if (t->floor == t->frames.count) base = vec_last(&t->interrupted).slots; /* behind what a copy carries */
  }
  if (n > function->params) n = function->params;
  if (!frame_reserve(m, t, base + frame_size(function) + SLOTS_MARGIN)) return false;
  if (n) memcpy(t->slots.data + base, params, n * sizeof *params);
  if (t->undefined.count) undefined_cut(t, base);
  if (m->symbolic) symbolic_cut(t, base);
  frame_enter(m, t, f, function, base, t->slots.data + base, n, m->memory.regions[t->tid].sp);
  return true;
}
#endif

/* May this instance hand the thread back when all of its slots are defined? */
#if defined CHECKS && !defined FOLLOWS && !defined SYMBOLIC
#define LEAVES true
#elif defined CHECKS
#define LEAVES false
#endif

#ifdef FOLLOWS
enum run interpret_followed(struct machine *m, struct thread *t) {
#elif defined SYMBOLIC
enum run interpret_symbolic(struct machine *m, struct thread *t) {
#elif defined CHECKS
enum run interpret_checked(struct machine *m, struct thread *t) {
#else
enum run interpret(struct machine *m, struct thread *t) { /* long: the dispatcher; every case is short */
#endif
  static const void *const labels[] = {
#define X(name, operands, words) &&L_##name,
      OPCODE_LIST(X)
#undef X
  };
  const struct image *const image = m->image;
  const union insn *const code = image->code;
  const struct region *const region = &m->memory.regions[t->tid];
  const union insn *ip;
  uint64_t *r;
  struct frame *frame;
  uint64_t low, span;
  int64_t budget = m->budget;
  enum run run;
  uint32_t callee;
  uint64_t area, place, size;

reload:
  frame = &vec_last(&t->frames);
  ip = code + frame->pc;
  r = t->slots.data + frame->base;
  OWN_MEMORY();
  if (UNLIKELY(--budget < 0)) goto spent; /* a longjmp() is a jump */
  NEXT();

spent:
  SITE();
  run = budget_spent(m, t);
  budget = m->budget;
  if (run != RUN_GO) goto stop;
  NEXT();

stop: /* frame->pc is set */
#ifdef CHECKS
  if (run == RUN_YIELD) undefined_settle(m, t);
#endif
  m->budget = budget;
  return run;

#ifdef CHECKS
check:
  if (t->undefined.count == 0 && LEAVES) {
    frame->pc = (uint32_t)(ip - code);
    run = RUN_SWITCH;
    goto stop;
  }
  if ((run = undefined_insn(m, t, frame, ip, r)) != RUN_GO) goto stop;
  goto *labels[ip->op];
#else
undefined: /* a value that is not defined has come into a slot, by the instruction before `ip` */
  frame->pc = (uint32_t)(ip - code);
  run = RUN_SWITCH;
  goto stop;
#endif

/* A load or store of `size` bytes at `place`: 1, 2, 4 or 8. In the short way, of shared memory, the whole word is touched. */
slow_load:
  if (LIKELY(access_word_shared(place, size)) && LIKELY(!m->single && !t->atomic)) {
    if (!t->granted) {
      SITE();
      step_name(m, t, EVENT_READ, ORDER_PLAIN, 0, place, size, 0);
      goto yield;
    }
    if (LIKELY(event_granted(m, t, EVENT_READ))) {
      uint64_t value = *(const uint64_t *)host_at(place) & access_mask(size);
      access_read_done(m, t, place, size, value);
      r[ip->a] = value;
      LOADED(place, size);
      SKIP(1);
    }
  }
  SITE();
  if ((run = access_plain_read(m, t, place, size)) != RUN_GO) goto stop;
  r[ip->a] = 0;
  memcpy(&r[ip->a], host_at(place), size);
  LOADED(place, size);
#ifndef CHECKS
  if (UNLIKELY(uninitialised_any(place, size))) {
    undefined_loaded(t, frame->base + ip->a, place, size);
    ip++;
    goto undefined;
  }
#endif
  SKIP(1);
slow_store : {
  uint64_t mask = access_mask(size), value = r[ip->a] & mask;
  if (LIKELY(access_word_shared(place, size)) && LIKELY(!m->stores_long && !t->atomic)) {
    if (!t->granted) {
      SITE();
      step_name(m, t, EVENT_WRITE, ORDER_PLAIN, 0, place, size, 0);
      goto yield;
    }
    if (LIKELY(event_granted(m, t, EVENT_WRITE))) {
      vec_last(&m->trace).value = value;
      t->wrote = t->wrote_private = true;
      if (access_any_clean(place, size)) memory_log(&m->memory, place, size);
      uint64_t *word = host_at(place);
      *word = (*word & ~mask) | value;
      STORED(place, size);
      SKIP(1);
    }
  }
  SITE();
  if ((run = access_plain_write(m, t, place, size, value)) != RUN_GO) goto stop;
  t->wrote_private = true;
  memcpy(host_at(place), &value, size);
  STORED(place, size);
  SKIP(1);
}
yield:
  run = RUN_YIELD;
  goto stop;

L_MOV:
  r[ip->a] = r[ip->b];
  SKIP(1);
L_MOV2 : {
  uint64_t x = r[ip->b], y = r[ip->b + 1];
  r[ip->a] = x, r[ip->a + 1] = y;
  SKIP(1);
}
L_MOVN:
  memmove(&r[ip->a], &r[ip->b], ip->c * sizeof *r);
  SKIP(1);
L_UNDEF:
  r[ip->a] = 0;
  undefined_set(t, frame->base + ip->a, low_bits(UINT64_MAX, ip->b));
#ifdef CHECKS
  SKIP(1);
#else
  ip++;
  goto undefined;
#endif
L_DEFINE:
  r[ip->a] = r[ip->b];
  SKIP(1);
L_LI:
  r[ip->a] = (uint64_t)(int64_t)(int16_t)ip->b;
  SKIP(1);
  BINARY(ADD32, (uint32_t)(x + y))
  BINARY(SUB32, (uint32_t)(x - y))
  BINARY(MUL32, (uint32_t)(x * y))
  BINARY(ADD64, x + y)
  BINARY(SUB64, x - y)
  BINARY(MUL64, x * y)
  BINARY(AND, x & y)
  BINARY(OR, x | y)
  BINARY(XOR, x ^ y)
  BINARY(SHL32, y < 32 ? (uint32_t)((uint32_t)x << y) : 0)
  BINARY(LSHR32, y < 32 ? (uint32_t)x >> y : 0)
  BINARY(ASHR32, (uint32_t)((int32_t)x >> (y < 32 ? y : 31)))
  BINARY(SHL64, y < 64 ? x << y : 0)
  BINARY(LSHR64, y < 64 ? x >> y : 0)
  BINARY(ASHR64, (uint64_t)((int64_t)x >> (y < 64 ? y : 63)))
  BINARY_S(ADDI32, (uint32_t)(x + y))
  BINARY_S(MULI32, (uint32_t)(x * y))
  BINARY_S(ADDI64, x + y)
  BINARY_S(MULI64, x * y)
  BINARY_U(ANDI, x & y)
  BINARY_U(ORI, x | y)
  BINARY_U(XORI, x ^ y)
  BINARY_U(SHLI32, (uint32_t)((uint32_t)x << y))
  BINARY_U(LSHRI32, (uint32_t)x >> y)
  BINARY_U(ASHRI32, (uint32_t)((int32_t)x >> y))
  BINARY_U(SHLI64, x << y)
  BINARY_U(LSHRI64, x >> y)
  BINARY_U(ASHRI64, (uint64_t)((int64_t)x >> y))
  DIVISION(UDIV32, uint32_t, x / y)
  DIVISION(UREM32, uint32_t, x % y)
  DIVISION(UDIV64, uint64_t, x / y)
  DIVISION(UREM64, uint64_t, x % y)
  DIVISION_SIGNED(SDIV32, int32_t, uint32_t, INT32_MIN, x / y)
  DIVISION_SIGNED(SREM32, int32_t, uint32_t, INT32_MIN, x % y)
  DIVISION_SIGNED(SDIV64, int64_t, uint64_t, INT64_MIN, x / y)
  DIVISION_SIGNED(SREM64, int64_t, uint64_t, INT64_MIN, x % y)

division_by_zero:
  SITE();
  run = machine_fail(m, t, FINDING_DIVISION_BY_ZERO, "division", "division by zero");
  goto stop;
division_overflow:
  SITE();
  run = machine_fail(m, t, FINDING_DIVISION_BY_ZERO, "division", "division of the smallest integer by -1 overflows");
  goto stop;

L_TRUNC:
  r[ip->a] = low_bits(r[ip->b], ip->c);
  SKIP(1);
L_SEXT:
  r[ip->a] = low_bits((uint64_t)sign_bits(r[ip->b], ip->c & 255), ip->c >> 8);
  SKIP(1);
  UNARY(SEXT8_32, (uint32_t)(int8_t)x)
  UNARY(SEXT16_32, (uint32_t)(int16_t)x)
  UNARY(SEXT8_64, (uint64_t)(int8_t)x)
  UNARY(SEXT16_64, (uint64_t)(int16_t)x)
  UNARY(SEXT32_64, (uint64_t)(int32_t)x)
  BINARY(EQ, x == y)
  BINARY(NE, x != y)
  BINARY(ULT, x < y)
  BINARY(ULE, x <= y)
  BINARY(SLT32, (int32_t)x < (int32_t)y)
  BINARY(SLE32, (int32_t)x <= (int32_t)y)
  BINARY(SLT64, (int64_t)x < (int64_t)y)
  BINARY(SLE64, (int64_t)x <= (int64_t)y)
  BINARY_U(EQI, x == y)
  BINARY_U(NEI, x != y)
  BINARY_U(ULTI, x < y)
  BINARY_U(UGTI, x > y)
  BINARY_S(SLTI32, (int32_t)x < (int32_t)y)
  BINARY_S(SGTI32, (int32_t)x > (int32_t)y)
  BINARY_S(SLTI64, (int64_t)x < (int64_t)y)
  BINARY_S(SGTI64, (int64_t)x > (int64_t)y)
L_SELECT:
  r[ip->a] = r[ip->b] ? r[ip->c] : r[ip[1].lo];
  SKIP(2);
L_SELECTN:
  memmove(&r[ip->a], r[ip->b] ? &r[ip->c] : &r[ip[1].lo], ip[1].hi * sizeof *r);
  SKIP(2);

L_JMP:
  JUMP((int64_t)ip[1].word);
L_JNZ:
  JUMP_IF(r[ip->a]);
L_JZ:
  JUMP_IF(!r[ip->a]);
  JUMP2(JEQ, x == y)
  JUMP2(JNE, x != y)
  JUMP2(JULT, x < y)
  JUMP2(JULE, x <= y)
  JUMP2(JSLT32, (int32_t)x < (int32_t)y)
  JUMP2(JSLE32, (int32_t)x <= (int32_t)y)
  JUMP2(JSLT64, (int64_t)x < (int64_t)y)
  JUMP2(JSLE64, (int64_t)x <= (int64_t)y)
  JUMP2_U(JEQI, x == y)
  JUMP2_U(JNEI, x != y)
  JUMP2_U(JULTI, x < y)
  JUMP2_U(JUGTI, x > y)
  JUMP2_S(JSLTI32, (int32_t)x < (int32_t)y)
  JUMP2_S(JSGTI32, (int32_t)x > (int32_t)y)
  JUMP2_S(JSLTI64, (int64_t)x < (int64_t)y)
  JUMP2_S(JSGTI64, (int64_t)x > (int64_t)y)
L_SWITCH : {
  const struct image_case *cases = image->cases + ip[1].lo;
  uint64_t value = r[ip->a];
  uint32_t from = 0, to = ip[1].hi;
  while (from < to) {
    uint32_t middle = (from + to) / 2;
    if (cases[middle].value < value)
      from = middle + 1;
    else
      to = middle;
  }
  bool hit = from < ip[1].hi && cases[from].value == value;
  ip = code + (hit ? cases[from].target : ip[2].lo);
  if (UNLIKELY(--budget < 0)) goto spent;
  NEXT();
}
L_SWITCHD : {
  uint64_t i = r[ip->a] - ip[3].word;
  ip = code + (i < ip[1].hi ? image->targets[ip[1].lo + i] : ip[2].lo);
  if (UNLIKELY(--budget < 0)) goto spent;
  NEXT();
}
L_IBR : {
  uint64_t target = r[ip->a] - LABEL_BASE;
  const struct image_function *f = &image->functions[frame->function];
  if (target - f->code >= f->ncode) {
    SITE();
    run = machine_fail(m, t, FINDING_OUT_OF_BOUNDS, "jump", "computed goto to something that is no label of this function");
    goto stop;
  }
  ip = code + target;
  if (UNLIKELY(--budget < 0)) goto spent;
  NEXT();
}
L_UNREACHABLE:
  SITE();
  run = machine_fail(m, t, FINDING_ABORT, "reached",
                     "execution reached a point that the compiler was told is unreachable (undefined behaviour)");
  goto stop;

L_COVER:
  remark_covered(m, image->code_sites[ip - code]);
  ip++;
  NEXT();

L_REFUSE:
  SITE();
  run = machine_unsupported(m, t, "%s", image_string(image, ip[1].lo));
  goto stop;

L_LD8:
  LOAD(uint8_t, r[ip->b] + (uint64_t)(int64_t)(int16_t)ip->c)
L_LD16:
  LOAD(uint16_t, r[ip->b] + (uint64_t)(int64_t)(int16_t)ip->c)
L_LD32:
  LOAD(uint32_t, r[ip->b] + (uint64_t)(int64_t)(int16_t)ip->c)
L_LD64:
  LOAD(uint64_t, r[ip->b] + (uint64_t)(int64_t)(int16_t)ip->c)
L_ST8:
  STORE(uint8_t, r[ip->b] + (uint64_t)(int64_t)(int16_t)ip->c)
L_ST16:
  STORE(uint16_t, r[ip->b] + (uint64_t)(int64_t)(int16_t)ip->c)
L_ST32:
  STORE(uint32_t, r[ip->b] + (uint64_t)(int64_t)(int16_t)ip->c)
L_ST64:
  STORE(uint64_t, r[ip->b] + (uint64_t)(int64_t)(int16_t)ip->c)
L_LDX8:
  LOAD(uint8_t, r[ip->b] + r[ip->c])
L_LDX16:
  LOAD(uint16_t, r[ip->b] + r[ip->c] * 2)
L_LDX32:
  LOAD(uint32_t, r[ip->b] + r[ip->c] * 4)
L_LDX64:
  LOAD(uint64_t, r[ip->b] + r[ip->c] * 8)
L_STX8:
  STORE(uint8_t, r[ip->b] + r[ip->c])
L_STX16:
  STORE(uint16_t, r[ip->b] + r[ip->c] * 2)
L_STX32:
  STORE(uint32_t, r[ip->b] + r[ip->c] * 4)
L_STX64:
  STORE(uint64_t, r[ip->b] + r[ip->c] * 8)
L_LDN : {
  uint64_t address = r[ip->b] + (uint64_t)(int64_t)(int16_t)ip->c;
  SITE();
  if ((run = access_plain_read(m, t, address, image->layouts[ip[1].lo].size)) != RUN_GO) goto stop;
  layout_load(image, ip[1].lo, address, &r[ip->a]);
#ifdef SYMBOLIC
  symbolic_loaded_layout(m, t, frame->base + ip->a, address, ip[1].lo);
#endif
#ifdef CHECKS
  undefined_loaded_layout(m, t, frame->base + ip->a, address, ip[1].lo);
#else
  if (UNLIKELY(uninitialised_any(address, image->layouts[ip[1].lo].size))) {
    undefined_loaded_layout(m, t, frame->base + ip->a, address, ip[1].lo);
    ip += 2;
    if (t->undefined.count) goto undefined; /* there may be padding alone */
    NEXT();
  }
#endif
  SKIP(2);
}
L_STN : {
  uint64_t address = r[ip->b] + (uint64_t)(int64_t)(int16_t)ip->c;
  SITE();
  if ((run = access_plain_write(m, t, address, image->layouts[ip[1].lo].size, r[ip->a])) != RUN_GO) goto stop;
  layout_store(image, ip[1].lo, address, &r[ip->a]);
#ifdef SYMBOLIC
  symbolic_stored_layout(m, t, frame->base + ip->a, address, ip[1].lo);
#endif
#ifdef CHECKS
  undefined_stored_layout(m, t, frame->base + ip->a, address, ip[1].lo);
#endif
  SKIP(2);
}
  BINARY(LEA1, x + y)
  BINARY(LEA2, x + y * 2)
  BINARY(LEA4, x + y * 4)
  BINARY(LEA8, x + y * 8)
L_LEAS:
  r[ip->a] = r[ip->b] + r[ip->c] * ip[1].word;
  SKIP(2);
L_ALLOCA:
  LIFE(FRAME_MEETS(), frame_begins(m, t, ip[1].lo, ip[1].hi));
  if (!(r[ip->a] = stack_alloc(&m->memory, t->tid, ip[1].lo, ip[1].hi))) goto stack_overflow;
  SKIP(2);
L_ALLOCAX:
  LIFE(FRAME_MEETS(), frame_begins(m, t, r[ip->b], ip[1].hi));
  if (!(r[ip->a] = stack_alloc(&m->memory, t->tid, r[ip->b], ip[1].hi))) goto stack_overflow;
  SKIP(2);
stack_overflow:
  SITE();
  run = machine_fail(m, t, FINDING_OUT_OF_BOUNDS, "allocation", "stack overflow");
  goto stop;
L_SPSAVE:
  r[ip->a] = m->memory.regions[t->tid].sp;
  SKIP(1);
L_SPRESTORE:
  LIFE(true, life_ends(m, t, r[ip->a], m->memory.regions[t->tid].sp));
  stack_restore(&m->memory, t->tid, r[ip->a]);
  SKIP(1);
L_LIFETIME:
  SITE();
  if (!access_lifetime(m, t, r[ip->a], ip[1].word, ip->b)) goto yield;
  SKIP(2);
L_MEMCPY:
L_MEMMOVE:
  SITE();
  if ((run = access_copy(m, t, r[ip->a], r[ip->b], r[ip->c], ip->op == OP_MEMMOVE)) != RUN_GO) goto stop;
  COPIED(r[ip->a], r[ip->b], r[ip->c]);
  LOOK();
  SKIP(1);
L_MEMSET:
  SITE();
  if ((run = access_fill(m, t, r[ip->a], (uint8_t)r[ip->b], r[ip->c])) != RUN_GO) goto stop;
#ifdef CHECKS
  undefined_filled(t, frame->base + ip->b, r[ip->a], r[ip->c]);
#endif
  OVERWRITTEN(r[ip->a], r[ip->c]);
  LOOK();
  SKIP(1);
L_TLS:
  r[ip->a] = region_tls(t->tid) + ip[1].word;
  SKIP(2);

L_ATOMIC_LD:
  SITE();
  place = r[ip->b];
  run = atomic_load(m, t, ip, r);
#ifdef CHECKS
  if (run != RUN_GO && run != RUN_SWITCH) goto stop;
  LOADED(place, ip->c & 255u);
#else
  if (run == RUN_SWITCH) {
    undefined_loaded(t, frame->base + ip->a, place, ip->c & 255u);
    ip++;
    goto undefined;
  }
  if (run != RUN_GO) goto stop;
#endif
  SKIP(1);
L_ATOMIC_ST:
  SITE();
  if ((run = atomic_store(m, t, ip, r)) != RUN_GO) goto stop;
  STORED(r[ip->b], ip->c & 255u);
  SKIP(1);
L_ATOMIC_RMW : {
  SITE();
  UPDATE(ip->c, ip->c);
  run = atomic_rmw(m, t, ip, r);
  UPDATED(undefined_updated(t, frame->base + ip->a, ip, operands, place), symbolic_updated);
}
L_ATOMIC_CAS : {
  SITE();
  UPDATE(ip->c, ip[1].lo);
  run = atomic_cas(m, t, ip, r);
  UPDATED(undefined_exchanged(t, frame->base + ip->a, ip, operands, other, place), symbolic_exchanged);
}
L_FENCE:
  SITE();
  if (!m->single) {
    t->next_order = (uint8_t)ip->a, t->next_flags = fence_flags(m, (enum event_order)ip->a);
    if (!machine_visible(m, t, EVENT_FENCE, 0, 0, 0, false)) goto yield;
  }
  SKIP(1);

L_CALLI:
L_CALLIV : {
  uint64_t target = r[ip[1].lo] - TEXT_BASE;
  callee = (uint32_t)(target / 16);
  if (UNLIKELY(target % 16 || target / 16 >= image->nfunctions + image->nexterns)) {
    SITE();
    bool null = r[ip[1].lo] < 65536;
    run = machine_fail(m, t, null ? FINDING_NULL_DEREFERENCE : FINDING_OUT_OF_BOUNDS, "call",
                       null ? "call through a null function pointer" : "call through a pointer to something that is no function");
    goto stop;
  }
  if (callee >= image->nfunctions) {
    callee -= image->nfunctions;
    goto call_extern;
  }
  if (ip->op == OP_CALLIV) goto call_variadic;
  goto call;
}
L_CALLV:
  callee = ip[1].lo;
call_variadic:
  SITE();
  LIFE(FRAME_MEETS(), frame_begins(m, t, variadic_size(ip), 16));
  if (!(area = variadic_area(m, t, frame, ip, r))) {
    run = RUN_STOP;
    goto stop;
  }
  goto call_with_area;
L_CALL:
  callee = ip[1].lo;
call:
  area = 0;
call_with_area : {
  const struct image_function *f = &image->functions[callee];
  uint32_t base = frame->base + frame_size(&image->functions[frame->function]);
  frame->pc = (uint32_t)(ip - code);
  if (UNLIKELY(base + frame_size(f) + SLOTS_MARGIN > t->slots.count) || UNLIKELY(t->frames.count == t->frames.cap)) {
    SITE();
    if (!frame_reserve(m, t, base + frame_size(f) + SLOTS_MARGIN)) {
      run = RUN_STOP;
      goto stop;
    }
    frame = &vec_last(&t->frames);
    r = t->slots.data + frame->base;
  }
  uint64_t *callee_slots = t->slots.data + base;
  const uint16_t *arguments = ip[2].slots;
  uint32_t n = ip->b < f->params ? ip->b : f->params;
  for (uint32_t i = 0; i < n; i++) callee_slots[i] = r[arguments[i]];
  frame = frame_enter(m, t, callee, f, base, callee_slots, n, region->sp);
  if (UNLIKELY(area)) frame->va = frame->sp = area; /* its end is the call's: a loop of calls needs no more stack than one */
  r = callee_slots;
  ip = code + f->code;
  if (UNLIKELY(--budget < 0)) goto spent;
  NEXT();
}
L_CALLX:
  callee = ip[1].lo;
call_extern : {
  uint64_t arguments[MAX_EXTERN_ARGUMENTS], results[4] = {0};
  SITE();
  uint32_t n = ip->b < MAX_EXTERN_ARGUMENTS ? ip->b : MAX_EXTERN_ARGUMENTS;
  const uint16_t *from = ip[2].slots;
  if (n > 0) arguments[0] = r[from[0]];
  if (n > 1) { /* a word holds four, those that are not used are 0 */
    for (uint32_t i = 1; i < 4; i++) arguments[i] = r[from[i]];
    for (uint32_t i = 4; i < n; i++) arguments[i] = r[from[i]];
  }
  if (ip->op == OP_CALLIV) n = extern_variadic(ip, r, arguments, n);
  run = builtin_call(m, t, callee, arguments, n, results);
  if (run == RUN_GO) {
    OWN_MEMORY(); /* it may have created a thread */
    for (uint32_t i = 0; i < ip->c && i < 4; i++) r[ip->a + i] = results[i];
    RETURNED();
    LOOK();
    if (UNLIKELY(m->returns_unset)) {
      m->returns_unset = false;
      undefined_set(t, frame->base + ip->a, m->unset[0]), undefined_set(t, frame->base + ip->a + 1, m->unset[1]);
#ifndef CHECKS
      ip += call_words(ip);
      goto undefined;
#endif
    }
    SKIP(call_words(ip));
  }
  if (run == RUN_FRAME) goto reload;
  goto stop;
}
L_RET : {
  if (region->sp != frame->sp) {
    LIFE(frame->sp < region->stack_high, life_ends(m, t, frame->sp, region->sp));
    stack_restore(&m->memory, t->tid, frame->sp);
  }
  t->frames.count--;
  if (UNLIKELY(t->frames.count == t->floor)) {
    if (t->frames.count == 0 && t->stage == STAGE_START && !(frame->tag & FRAME_MODEL)) t->ends_at = image->code_sites[ip - code];
    run = thread_bottom(m, t, ip->b ? r[ip->a] : 0);
    if (run == RUN_FRAME) goto reload;
    goto stop;
  }
  const uint64_t *results = &r[ip->a];
  uint32_t n = ip->b;
  frame--;
  ip = code + frame->pc;
  r = t->slots.data + frame->base;
  if (ip->c < n) n = ip->c;
  if (LIKELY(n == 1))
    r[ip->a] = results[0];
  else
    for (uint32_t i = 0; i < n; i++) r[ip->a + i] = results[i];
  ip += call_words(ip);
  NEXT();
}
L_VASTART : {
  SITE();
  uint64_t list = r[ip->a];
  if ((run = access_plain_write(m, t, list, 24, 0)) != RUN_GO) goto stop;
  struct {
    uint32_t gp_offset, fp_offset;
    uint64_t overflow_area, save_area;
  } va = {ip->b, ip->c, frame->va + VARIADIC_SAVED, frame->va};
  memcpy(host_at(list), &va, 24);
  OVERWRITTEN(list, 24);
  SKIP(1);
}
L_VACOPY:
  SITE();
  if ((run = access_copy(m, t, r[ip->a], r[ip->b], 24, true)) != RUN_GO) goto stop;
  OVERWRITTEN(r[ip->a], 24);
  SKIP(1);
L_LANDINGPAD:
  r[ip->a] = t->exception, r[ip->a + 1] = t->selector;
  SKIP(1);
L_RESUME:
  SITE();
  t->exception = r[ip->a];
  run = unwind(m, t, false);
  if (run == RUN_FRAME) goto reload;
  if (run == RUN_GO) run = machine_fail(m, t, FINDING_UNCAUGHT_EXCEPTION, "throw", "an exception left the thread's first function");
  goto stop;
L_INTR:
  SITE();
  if ((run = intrinsic_run(m, t, ip, r)) != RUN_GO) goto stop;
  SKIP(2 + (ip->b + 3) / 4);

  BINARY(FADD, float_result(F(x) + F(y), x, y))
  BINARY(FSUB, float_result(F(x) - F(y), x, y))
  BINARY(FMUL, float_result(F(x) * F(y), x, y))
  BINARY(FDIV, float_result(F(x) / F(y), x, y))
  BINARY(FREM, float_slot(fmodf(F(x), F(y))))
  UNARY(FNEG, x ^ 0x80000000u)
  BINARY(GADD, double_result(G(x) + G(y), x, y))
  BINARY(GSUB, double_result(G(x) - G(y), x, y))
  BINARY(GMUL, double_result(G(x) * G(y), x, y))
  BINARY(GDIV, double_result(G(x) / G(y), x, y))
  BINARY(GREM, double_slot(fmod(G(x), G(y))))
  UNARY(GNEG, x ^ 0x8000000000000000u)
  BINARY(FOEQ, F(x) == F(y))
  BINARY(FONE, F(x) < F(y) || F(x) > F(y))
  BINARY(FOLT, F(x) < F(y))
  BINARY(FOLE, F(x) <= F(y))
  BINARY(FORD, !__builtin_isunordered(F(x), F(y)))
  BINARY(FUEQ, !(F(x) < F(y) || F(x) > F(y)))
  BINARY(FUNE, F(x) != F(y))
  BINARY(FULT, !(F(x) >= F(y)))
  BINARY(FULE, !(F(x) > F(y)))
  BINARY(FUNO, __builtin_isunordered(F(x), F(y)))
  BINARY(GOEQ, G(x) == G(y))
  BINARY(GONE, G(x) < G(y) || G(x) > G(y))
  BINARY(GOLT, G(x) < G(y))
  BINARY(GOLE, G(x) <= G(y))
  BINARY(GORD, !__builtin_isunordered(G(x), G(y)))
  BINARY(GUEQ, !(G(x) < G(y) || G(x) > G(y)))
  BINARY(GUNE, G(x) != G(y))
  BINARY(GULT, !(G(x) >= G(y)))
  BINARY(GULE, !(G(x) > G(y)))
  BINARY(GUNO, __builtin_isunordered(G(x), G(y)))
  UNARY(F2G, double_slot((double)F(x)))
  UNARY(G2F, float_slot((float)G(x)))
L_F2S:
  r[ip->a] = low_bits(to_signed(F(r[ip->b])), ip->c);
  SKIP(1);
L_F2U:
  r[ip->a] = low_bits(to_unsigned(F(r[ip->b])), ip->c);
  SKIP(1);
L_G2S:
  r[ip->a] = low_bits(to_signed(G(r[ip->b])), ip->c);
  SKIP(1);
L_G2U:
  r[ip->a] = low_bits(to_unsigned(G(r[ip->b])), ip->c);
  SKIP(1);
  UNARY(S2F, float_slot((float)(int64_t)x))
  UNARY(U2F, float_slot((float)x))
  UNARY(S2G, double_slot((double)(int64_t)x))
  UNARY(U2G, double_slot((double)x))
  FP80(XADD, x + y)
  FP80(XSUB, x - y)
  FP80(XMUL, x * y)
  FP80(XDIV, x / y)
  FP80(XREM, fmodl(x, y))
L_XNEG:
  fp80_slots(&r[ip->a], -X80(ip->b));
  SKIP(1);
L_XCMP:
  r[ip->a] = real_compare(X80(ip->b), X80(ip->c), ip[1].lo);
  SKIP(2);
L_F2X:
  fp80_slots(&r[ip->a], (long double)F(r[ip->b]));
  SKIP(1);
L_G2X:
  fp80_slots(&r[ip->a], (long double)G(r[ip->b]));
  SKIP(1);
L_X2F:
  r[ip->a] = float_slot((float)X80(ip->b));
  SKIP(1);
L_X2G:
  r[ip->a] = double_slot((double)X80(ip->b));
  SKIP(1);
L_S2X:
  fp80_slots(&r[ip->a], (long double)(int64_t)r[ip->b]);
  SKIP(1);
L_U2X:
  fp80_slots(&r[ip->a], (long double)r[ip->b]);
  SKIP(1);
L_X2S:
  r[ip->a] = low_bits(to_signed(X80(ip->b)), ip->c);
  SKIP(1);
L_X2U:
  r[ip->a] = low_bits(to_unsigned(X80(ip->b)), ip->c);
  SKIP(1);
  WIDE(WADD, x + y)
  WIDE(WSUB, x - y)
  WIDE(WMUL, x * y)
  WIDE(WAND, x & y)
  WIDE(WOR, x | y)
  WIDE(WXOR, x ^ y)
  WIDE(WSHL, y < 128 ? x << (unsigned)y : 0)
  WIDE(WLSHR, y < 128 ? x >> (unsigned)y : 0)
  WIDE(WASHR, (u128)((i128)x >> (y < 128 ? (unsigned)y : 127)))
L_WUDIV:
L_WSDIV:
L_WUREM:
L_WSREM : {
  u128 x = W(ip->b), y = W(ip->c);
  if (y == 0) goto division_by_zero;
  bool is_signed = ip->op == OP_WSDIV || ip->op == OP_WSREM, quotient = ip->op == OP_WUDIV || ip->op == OP_WSDIV;
  if (is_signed && y == (u128)-1 && x == (u128)1 << 127) goto division_overflow;
  if (is_signed)
    wide_slots(&r[ip->a], (u128)(quotient ? (i128)x / (i128)y : (i128)x % (i128)y));
  else
    wide_slots(&r[ip->a], quotient ? x / y : x % y);
  SKIP(1);
}
L_WTRUNC : {
  u128 x = W(ip->b);
  wide_slots(&r[ip->a], x & (((u128)1 << ip->c) - 1));
  SKIP(1);
}
L_WSEXT : {
  unsigned shift = 128u - ip->c;
  u128 x = ip->c <= 64 ? (u128)r[ip->b] : W(ip->b);
  wide_slots(&r[ip->a], (u128)((i128)(x << shift) >> shift));
  SKIP(1);
}
  WIDE_CMP(WEQ, x == y)
  WIDE_CMP(WNE, x != y)
  WIDE_CMP(WULT, x < y)
  WIDE_CMP(WULE, x <= y)
  WIDE_CMP(WSLT, (i128)x < (i128)y)
  WIDE_CMP(WSLE, (i128)x <= (i128)y)
L_WCONV:
  wide_convert((enum wide_conversion)ip->c, &r[ip->a], &r[ip->b]);
  SKIP(1);
L_EXTRACTX : {
  uint64_t i = r[ip->c], each = ip[1].lo, n = ip[1].hi;
  if (i >= n) i = 0; /* poison */
  memmove(&r[ip->a], &r[ip->b + i * each], each * sizeof *r);
  SKIP(2);
}
L_INSERTX : {
  uint64_t i = r[ip->c], each = ip[1].lo, n = ip[1].hi;
  if (i < n) memmove(&r[ip->a + i * each], &r[ip->b], each * sizeof *r);
  SKIP(2);
}
L_PACK:
  layout_convert(image, ip[1].lo, ip[1].hi, &r[ip->a], &r[ip->b]);
  SKIP(2);
}
