#include "record/record.h"

#include "enforce/enforce.h"
#include "intercept/intercept.h"
#include "record/buffer.h"
#include "record/file.h"
#include "record/kept.h"
#include "record/name.h"

/* Objects that are no memory of the program: orders by an address. They have eight bytes each, whatever is at the next address. */
#define ORDER_OBJECT(address) ((address) << 3 | 1ull << 63)

static bool enter(struct thread *t, struct recorder *r) {
  if (UNLIKELY(enforcing)) return t == hd_fast.self && !r->ended;
  if (UNLIKELY(!r->slot) && !r->ended && recording && t == hd_fast.self) record_begin(t);
  return recording && r->thread == t && buffer_enter(r);
}
static void leave(struct recorder *r) {
  struct thread *t = r->thread;
  if (UNLIKELY(enforcing)) return;
  if (buffer_is_full(r)) buffer_flush(r);
  buffer_leave(r);
  if (UNLIKELY(t->deferred) && t->busy == 0) thread_undefer(t);
}

static void put(struct recorder *r, const struct trace_event *e) {
  if (UNLIKELY(enforcing)) {
    enforce_event(hd_fast.self, e);
    return;
  }
  buffer_add(r, trace_put_event(r->coder, r->at, e));
  r->count++;
  if (buffer_is_full(r)) buffer_flush(r);
}

bool record_goes_on(struct thread *t) {
  struct recorder *r = &hd_recorder;
  if (!enter(t, r)) return false;
  leave(r);
  return true;
}

void record_event(struct thread *t, const struct trace_event *e) {
  struct recorder *r = &hd_recorder;
  if (!enter(t, r)) return;
  struct trace_event placed = *e;
  placed.site = r->site;
  put(r, &placed);
  leave(r);
}

static void timed(struct thread *t, const struct trace_event *e, bool reads) {
  struct recorder *r = &hd_recorder;
  if (!enter(t, r)) return;
  struct trace_event placed = *e;
  placed.site = r->site;
  if (LIKELY(!enforcing)) buffer_time(r);
  put(r, &placed);
  if (reads) r->fresh = true;
  leave(r);
}

static uint64_t number_of(struct sync *s) { return __atomic_add_fetch(&s->recorded, 1, __ATOMIC_RELAXED); }

void record_sync(struct thread *t, enum trace_op op, struct sync *s, unsigned flags, uint64_t value2) {
  timed(t,
        &(struct trace_event){.op = (uint8_t)op, .flags = (uint8_t)flags, .object = s->address, .value2 = value2, .sequence = number_of(s)},
        false);
}

void record_refused(struct thread *t, struct sync *s, bool shared) {
  timed(t, &(struct trace_event){.op = TRACE_EVENT_TRYFAIL, .flags = shared ? EVENT_SHARED_LOCK : 0, .object = s->address}, true);
}

void record_vain(struct thread *t, struct sync *s) {
  timed(t, &(struct trace_event){.op = TRACE_EVENT_TRYFAIL, .flags = RECORD_COUNT, .object = s->address, .sequence = number_of(s)}, true);
}

void record_wait(struct thread *t, enum trace_op op, struct sync *condition, struct sync *mutex) {
  timed(t,
        &(struct trace_event){.op = (uint8_t)op,
                              .object = condition->address,
                              .value2 = mutex->address,
                              .sequence = number_of(condition),
                              .sequence2 = number_of(mutex)},
        false);
}

static uint32_t process;
void record_counts_anew(void) { process++; }

/* As if each one added 1 to a variable that others read. */
static uint64_t next_of(struct told *told) {
  if (told->process != process) *told = (struct told){.process = process};
  return ++told->events;
}
void record_hands_on(struct thread *t, uint64_t address, struct told *told) {
  uint64_t sequence = next_of(told), was = told->times++;
  timed(t,
        &(struct trace_event){.op = TRACE_EVENT_RMW,
                              .order = ORDER_SEQ_CST,
                              .flags = RECORD_ALWAYS_WRITES,
                              .object = ORDER_OBJECT(address),
                              .size = 8,
                              .value = was,
                              .value2 = was + 1,
                              .sequence = sequence},
        true);
}
void record_takes(struct thread *t, uint64_t address, struct told *told) {
  struct recorder *r = &hd_recorder;
  uint64_t sequence = next_of(told);
  timed(t,
        &(struct trace_event){.op = TRACE_EVENT_READ,
                              .order = ORDER_SEQ_CST,
                              .object = ORDER_OBJECT(address),
                              .size = 8,
                              .value = told->times,
                              .sequence = sequence},
        false);
  if (!enter(t, r)) return;
  put(r, &(struct trace_event){.op = TRACE_RECORDED_BRANCH, .site = r->site, .value = told->times});
  leave(r);
}

void record_keeps(struct thread *t, uint64_t number, uint64_t times) {
  timed(t,
        &(struct trace_event){.op = TRACE_EVENT_RMW,
                              .order = ORDER_SEQ_CST,
                              .flags = RECORD_ALWAYS_WRITES | EVENT_OUTSIDE,
                              .object = ORDER_OBJECT(number),
                              .size = 8,
                              .value = times,
                              .value2 = times + 1,
                              .sequence = times + 1},
        true);
}

void record_passes(struct thread *t, uint64_t number, const struct told *before, bool changes) {
  struct trace_event e = {.op = TRACE_EVENT_READ,
                          .order = ORDER_ACQUIRE,
                          .flags = EVENT_OUTSIDE,
                          .object = ORDER_OBJECT(number),
                          .size = 8,
                          .value = before->times,
                          .sequence = before->events + 1};
  timed(t, &e, true);
  if (!changes) return;
  e.op = TRACE_EVENT_WRITE, e.order = ORDER_RELEASE, e.value++, e.sequence++;
  timed(t, &e, false);
}

static uint8_t order_of(int order) {
  static const uint8_t orders[] = {ORDER_RELAXED, ORDER_ACQUIRE, ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL, ORDER_SEQ_CST};
  return orders[(unsigned)(order & 0x7fff) % sizeof orders];
}

void record_fence(struct thread *t, int order) {
  timed(t, &(struct trace_event){.op = TRACE_EVENT_FENCE, .order = order_of(order)}, false);
}

void record_atomic(struct thread *t, enum trace_op op, struct sync *s, unsigned flags, unsigned size, int order, uint64_t value,
                   uint64_t value2) {
  bool known = size <= 8;
  timed(t,
        &(struct trace_event){.op = (uint8_t)op,
                              .order = order_of(order),
                              .flags = (uint8_t)(flags | (known ? 0u : (unsigned)TRACE_NO_VALUE)),
                              .object = s->address,
                              .size = size,
                              .value = known ? trace_masked(value, size) : 0,
                              .value2 = known ? trace_masked(value2, size) : 0,
                              .sequence = number_of(s)},
        op != TRACE_EVENT_WRITE);
}

/* --- memory --- */

/* The largest aligned piece of [at, end). */
static unsigned piece_at(uintptr_t at, uintptr_t end) {
  unsigned piece = 8;
  while (at % piece || at + piece > end) piece /= 2;
  return piece;
}

static uint64_t value_at(uintptr_t address, unsigned size) {
  const void *p = (const void *)address;
  return size == 1 ? *(const uint8_t *)p : size == 2 ? *(const uint16_t *)p : size == 4 ? *(const uint32_t *)p : *(const uint64_t *)p;
}
static uint64_t copied_value(const struct recorder *r, uintptr_t address, unsigned size) {
  uint64_t value = 0;
  __builtin_memcpy(&value, (const char *)r->values + (address - r->copied), size);
  return value;
}

/* No pointer is used by it. */
static void put_branch(struct recorder *r, uint8_t flags) {
  enum { NO_ADDRESS = 1 };
  put(r, &(struct trace_event){.op = TRACE_RECORDED_BRANCH, .flags = flags, .site = r->site, .value = NO_ADDRESS});
}

/* As __heddle_record_branch() of hooks.c. */
static void decide(struct recorder *r) {
  if (!r->fresh) return;
  r->fresh = false;
  put_branch(r, 0);
}

void record_decides(struct thread *t) {
  struct recorder *r = &hd_recorder;
  if (!r->fresh || !enter(t, r)) return;
  decide(r);
  leave(r);
}

/* What the program's own code decides, it says itself: it has read more by then, or the same. */
void record_decided_outside(struct thread *t) {
  struct recorder *r = &hd_recorder;
  if (!r->fresh || !enter(t, r)) return;
  put_branch(r, EVENT_OUTSIDE);
  leave(r);
}

/* Long ones, and such as cannot be, are one event without a value. */
void record_range(struct thread *t, uintptr_t address, size_t size, bool writes) {
  enum { LEAST = 4096 };
  struct recorder *r = &hd_recorder;
  struct trace_event e = {.op = writes ? TRACE_EVENT_WRITE : TRACE_EVENT_READ};
  if (size == 0 || !enter(t, r)) return;
  e.site = r->site;
  bool copied = r->values && r->copied == address && size <= RECORD_VALUES;
  if (size > RECORD_VALUES || address < LEAST || (enforcing && enforced->places)) { /* of a schedule, it is one access, as in the machine */
    e.object = address, e.size = size, e.flags = TRACE_NO_VALUE;
    if (!writes && !enforcing) buffer_time(r); /* before what is read, and behind what was written: only the time tells where it stands */
    put(r, &e);
    if (writes && !enforcing) buffer_time(r);
  }
  for (uintptr_t at = address; !e.flags && at < address + size; at += e.size) {
    unsigned piece = piece_at(at, address + size);
    if (r->text && at > address) decide(r);
    e.object = at, e.size = piece, e.value = copied ? copied_value(r, at, piece) : value_at(at, piece);
    put(r, &e);
    if (!writes) r->fresh = true;
  }
  if (!writes) r->fresh = true;
  leave(r);
}

/* --- functions that are not recorded (outside.h) --- */

static void put_outside(struct recorder *r, enum trace_op op, uintptr_t address, const unsigned char *bytes, size_t size) {
  for (size_t i = 0; i < size;) {
    unsigned piece = piece_at(address + i, address + size);
    struct trace_event e = {.op = (uint8_t)op, .flags = EVENT_OUTSIDE, .site = r->site, .object = address + i, .size = piece};
    __builtin_memcpy(&e.value, bytes + i, piece);
    put(r, &e);
    i += piece;
  }
}

/* Each value of a few bytes; of more, that they are what they are. */
void record_looked(struct thread *t, uintptr_t address, const void *bytes, size_t size) {
  enum { FEW = 64 };
  struct recorder *r = &hd_recorder;
  if (!enter(t, r)) return;
  buffer_time(r);
  if (size <= FEW)
    put_outside(r, TRACE_EVENT_READ, address, bytes, size);
  else
    put(r, &(struct trace_event){
               .op = TRACE_EVENT_READ, .flags = EVENT_OUTSIDE | TRACE_NO_VALUE, .site = r->site, .object = address, .size = size});
  buffer_time(r); /* the call may last */
  r->fresh = true;
  leave(r);
}

void record_left(struct thread *t, uintptr_t address, const void *bytes, size_t size) {
  struct recorder *r = &hd_recorder;
  if (!enter(t, r)) return;
  put_outside(r, TRACE_EVENT_WRITE, address, bytes, size);
  buffer_time(r);
  r->fresh = true;
  leave(r);
}

/* The runtime calls functions of the C library, too. */
extern const char __ehdr_start[] __attribute__((visibility("hidden"))), etext[] __attribute__((visibility("hidden")));

void record_access(struct thread *t, uintptr_t address, size_t size, enum site_kind kind, uintptr_t pc) {
  if (pc >= (uintptr_t)__ehdr_start && pc < (uintptr_t)etext) return;
  if (kind == SITE_READ || kind == SITE_WRITE) record_range(t, address, size, kind == SITE_WRITE);
  if (kind == SITE_FREE) record_block(t, TRACE_EVENT_FREE, address, size);
}

/* Allocators have an order of their own, in which the same memory is given back and handed out again. It is told by times alone: of an end,
 * before the allocator can know; of a beginning, behind that. */
void record_block(struct thread *t, enum trace_op op, uintptr_t address, size_t size) {
  struct recorder *r = &hd_recorder;
  if (op == TRACE_EVENT_FREE && r->joins) return;
  if (op == TRACE_EVENT_FREE) kept_gone(address, size);
  timed(t, &(struct trace_event){.op = (uint8_t)op, .object = address, .size = size}, false);
  if (op != TRACE_EVENT_FREE || enforcing || !enter(t, r)) return;
  buffer_time(r);
  leave(r);
}

/* --- threads --- */

void record_fork(struct thread *t, const struct thread_info *child, const void *argument) {
  name_child(t->info, child);
  timed(t, &(struct trace_event){.op = TRACE_EVENT_FORK, .object = child->number, .value = (uintptr_t)argument}, false);
}
void record_begin(struct thread *t) {
  if (*name_of(t->info->number) == 0) name_child(NULL, t->info);
  if (!enforcing && !buffer_open(t)) return;
  hd_recorder.ended = false;
  timed(t, &(struct trace_event){.op = TRACE_EVENT_BEGIN}, false);
  const struct thread_info *i = t->info;
  if (i->number && i->memory.to > i->memory.from) record_block(t, TRACE_EVENT_ALLOC, i->memory.from, i->memory.to - i->memory.from);
}
void record_pause(bool on) {
  struct recorder *r = &hd_recorder;
  if (!r->slot) r->ended = on;
  r->ready = !on && r->slot;
}
void record_end(struct thread *t) {
  record_pause(false);
  if (!enforcing && hd_recorder.thread != t) return;
  timed(t, &(struct trace_event){.op = TRACE_EVENT_END}, false);
  if (UNLIKELY(enforcing)) {
    enforce_ended(t);
    hd_recorder.ended = true;
    return;
  }
  thread_enter(t);
  buffer_close(&hd_recorder);
  thread_leave(t);
}
void record_join(struct thread *t, const struct thread_info *child) {
  timed(t, &(struct trace_event){.op = TRACE_EVENT_JOIN, .object = child->number}, false);
}

/* --- what woven code calls, beside hooks.c --- */

/* Around an atomic operation that has no function (src/weave/recording.c). */
static __thread struct sync *updated;
PUBLIC void __heddle_recorder_update_begins(uintptr_t address, size_t size, uint32_t site);
PUBLIC void __heddle_recorder_update_ends(uintptr_t address, size_t size, uint64_t was, uint32_t site);
void __heddle_recorder_update_begins(uintptr_t address, size_t size, uint32_t site) {
  struct thread *t = recording ? watched() : NULL;
  (void)size;
  hd_recorder.site = site;
  enforce_before(t, 1u << TRACE_EVENT_RMW, address, size, 0);
  updated = t ? sync_at(address, SYNC_ATOMIC) : NULL;
  if (updated) sync_lock(t, updated);
}
void __heddle_recorder_update_ends(uintptr_t address, size_t size, uint64_t was, uint32_t site) {
  struct thread *t = hd_fast.self;
  struct sync *s = updated;
  hd_recorder.site = site;
  if (!s) return;
  record_atomic(t, TRACE_EVENT_RMW, s, RECORD_ALWAYS_WRITES, (unsigned)size, __ATOMIC_SEQ_CST, was,
                size <= 8 ? value_at(address, (unsigned)size) : 0);
  updated = NULL;
  sync_unlock(t, s);
}
