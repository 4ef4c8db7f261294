/* Atomic operations: performed here, as compilers leave them to the runtime, with what they order by C11's rules. Fences order, too: what a
 * relaxed store hands on is what its thread had done at its last release fence, and what a relaxed load takes counts from the next acquire
 * fence on. An operation and the object's clock change together, under the object's lock, unless the order is relaxed and there is no
 * clock. */
#include "analysis/access.h"
#include "analysis/section.h"
#include "enforce/enforce.h"
#include "record/record.h"

typedef __int128 a128;
typedef int8_t a8;
typedef int16_t a16;
typedef int32_t a32;
typedef int64_t a64;

enum order { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };

#define CALLER ((uintptr_t)__builtin_return_address(0))

static bool acquires(int order) {
  order &= 0x7fff; /* hints of hardware lock elision are above */
  return order == CONSUME || order == ACQUIRE || order == ACQ_REL || order == SEQ_CST;
}
static bool releases(int order) {
  order &= 0x7fff;
  return order == RELEASE || order == ACQ_REL || order == SEQ_CST;
}

enum operation { LOAD, STORE, UPDATE };

/* Threads whose release sequences an object is in: then a relaxed store is taken to be part of them. */
#define SEVERAL UINT32_MAX

/* An operation under way. `object` is locked until end(); NULL if nobody was ever ordered by it. */
struct atomic {
  struct thread *t; /* NULL if the operation is none of the runtime's business */
  struct sync *object;
  uintptr_t address, pc;
  unsigned size;
  uint64_t read, written; /* values, of up to 8 bytes */
  bool exchanges;         /* by comparison */
};

/* Carrying out a witness. */
static void comes(struct thread *t, uintptr_t address, unsigned size, enum operation what) {
  static const uint32_t ops[] = {1u << TRACE_EVENT_READ, 1u << TRACE_EVENT_WRITE, 1u << TRACE_EVENT_RMW | 1u << TRACE_EVENT_READ};
  enforce_before_slow(t, ops[what], address, size, 0, true);
}

static struct atomic begin(const volatile void *p, unsigned size, enum operation what, int order, uintptr_t pc) {
  struct atomic a = {.t = thread_self(), .address = (uintptr_t)p, .size = size, .pc = pc};
  if (!a.t || a.t->busy) {
    a.t = NULL;
    return a;
  }
  if (UNLIKELY(enforcing)) comes(a.t, a.address, size, what);
  if (UNLIKELY(access_instead != NULL)) access_ignored(a.t, a.address, size, what == LOAD ? SITE_ATOMIC_READ : SITE_ATOMIC_WRITE, pc);
  thread_enter(a.t); /* a signal's handler shall not come for the lock */
  if (a.t->ignore_sync) return a;
  bool hands_on = recording || (what == LOAD ? a.t->weak && a.t->nheld : releases(order) || a.t->fence_release || a.t->weak);
  a.object = hands_on ? sync_at(a.address, SYNC_ATOMIC) : sync_find(a.address);
  if (a.object) {
    rt_lock(&a.object->lock);
    rt_fetch(shadow_of(a.address)), rt_fetch(a.object->clock); /* what follows waits for each of them */
  }
  return a;
}

static void take_over(struct thread *t, const struct sync *s, int order) {
  if (!s->clock) return;
  if (acquires(order))
    thread_acquire_lock(t, s->clock);
  else
    vclock_join(&t->fence_acquire, s->clock->at, s->clock->n);
  thread_acquire_weak(t, vclock_weak(s->clock)); /* whatever the order: what is read was written before */
}

/* A relaxed store by somebody else is not part of a release sequence. */
static void leave_sequence(struct thread *t, struct sync *s, enum operation what, int order) {
  if (what != STORE || releases(order) || s->owner == t->info->number + 1 || s->owner == SEVERAL) return;
  s->owner = 0;
  if (s->clock) vclock_clear(s->clock);
}

static void hand_on(struct thread *t, struct sync *s, enum operation what, int order) {
  uint32_t me = t->info->number + 1;
  leave_sequence(t, s, what, order);
  if (releases(order) || t->fence_release) s->owner = (what == STORE && releases(order)) || s->owner == 0 || s->owner == me ? me : SEVERAL;
  if (releases(order) && what == STORE)
    thread_release(t, &s->clock);
  else if (releases(order))
    thread_release_join(t, &s->clock); /* it goes on with the release sequence that it is in */
  else if (t->fence_release)
    vclock_join(&s->clock, t->fence_release->at, t->fence_release->n);
  if (!releases(order)) thread_release_weakly(t, &s->clock, what == UPDATE);
}

static void note(const struct atomic *a, bool wrote) {
  if (wrote ? a->t->ignore_writes : a->t->ignore_reads) return;
  access_atomic(a->t, a->address, a->size, wrote, a->pc);
}

static void record(const struct atomic *a, enum operation what, bool wrote, int order) {
  enum trace_op op = what == STORE ? TRACE_EVENT_WRITE : wrote ? TRACE_EVENT_RMW : TRACE_EVENT_READ;
  unsigned flags = op == TRACE_EVENT_RMW && !a->exchanges ? RECORD_ALWAYS_WRITES : 0;
  record_atomic(a->t, op, a->object, flags, a->size, order, what == STORE ? a->written : a->read, op == TRACE_EVENT_RMW ? a->written : 0);
}

/* What was read orders this access behind others; this access is part of what is handed on. `wrote`: false for a load, and for a failed
 * compare-exchange. */
static void end(struct atomic *a, enum operation what, bool wrote, int order) {
  struct thread *t = a->t;
  if (!t) return;
  if (UNLIKELY(recording)) {
    if (a->object) record(a, what, wrote, order), rt_unlock(&a->object->lock);
    thread_leave(t);
    return;
  }
  if (!a->object && what != STORE && !t->ignore_sync && (a->object = sync_find(a->address))) rt_lock(&a->object->lock); /* it may be new */
  if (a->object && t->weak && sync_alone(t, a->object, wrote && !releases(order) && !t->fence_release, !wrote)) {
    if (what != STORE && a->object->clock && a->object->clock->n) take_over(t, a->object, order);
    if (wrote) leave_sequence(t, a->object, what, order);
    rt_unlock(&a->object->lock);
    note(a, wrote);
    thread_leave(t);
    return;
  }
  if (a->object && what != STORE) take_over(t, a->object, order);
  if (a->object && wrote) section_writes(t, a->object);
  if (a->object && what != STORE) section_reads(t, a->object);
  bool ends_epoch = wrote && (releases(order) || t->weak); /* then others that are ordered behind the access shall find it */
  if (ends_epoch) note(a, wrote);
  if (a->object && wrote) hand_on(t, a->object, what, order);
  if (a->object) rt_unlock(&a->object->lock);
  if (!ends_epoch) note(a, wrote);
  thread_leave(t);
}

#define OPERATIONS(bits)                                                                                                            \
  PUBLIC a##bits __tsan_atomic##bits##_load(const volatile a##bits *p, int order);                                                  \
  PUBLIC void __tsan_atomic##bits##_store(volatile a##bits *p, a##bits v, int order);                                               \
  PUBLIC int __tsan_atomic##bits##_compare_exchange_strong(volatile a##bits *p, a##bits *expected, a##bits v, int order, int fail); \
  PUBLIC int __tsan_atomic##bits##_compare_exchange_weak(volatile a##bits *p, a##bits *expected, a##bits v, int order, int fail);   \
  PUBLIC a##bits __tsan_atomic##bits##_compare_exchange_val(volatile a##bits *p, a##bits expected, a##bits v, int order, int fail); \
  a##bits __tsan_atomic##bits##_load(const volatile a##bits *p, int order) {                                                        \
    struct atomic a = begin(p, bits / 8, LOAD, order, CALLER);                                                                      \
    a##bits v = LOADED(bits, p);                                                                                                    \
    a.read = (uint64_t)v;                                                                                                           \
    end(&a, LOAD, false, order);                                                                                                    \
    return v;                                                                                                                       \
  }                                                                                                                                 \
  void __tsan_atomic##bits##_store(volatile a##bits *p, a##bits v, int order) {                                                     \
    struct atomic a = begin(p, bits / 8, STORE, order, CALLER);                                                                     \
    STORED(bits, p, v);                                                                                                             \
    a.written = (uint64_t)v;                                                                                                        \
    end(&a, STORE, true, order);                                                                                                    \
  }                                                                                                                                 \
  static a##bits exchange_if_##bits(volatile a##bits *p, a##bits expected, a##bits v, int order, int fail, uintptr_t pc) {          \
    struct atomic a = begin(p, bits / 8, UPDATE, order, pc);                                                                        \
    a##bits old = __sync_val_compare_and_swap(p, expected, v);                                                                      \
    a.read = (uint64_t)old, a.written = (uint64_t)v, a.exchanges = true;                                                            \
    end(&a, UPDATE, old == expected, old == expected ? order : fail);                                                               \
    return old;                                                                                                                     \
  }                                                                                                                                 \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile a##bits *p, a##bits *expected, a##bits v, int order, int fail) {       \
    a##bits want = *expected, old = exchange_if_##bits(p, want, v, order, fail, CALLER);                                            \
    if (old != want) *expected = old;                                                                                               \
    return old == want;                                                                                                             \
  }                                                                                                                                 \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile a##bits *p, a##bits *expected, a##bits v, int order, int fail) {         \
    a##bits want = *expected, old = exchange_if_##bits(p, want, v, order, fail, CALLER);                                            \
    if (old != want) *expected = old;                                                                                               \
    return old == want;                                                                                                             \
  }                                                                                                                                 \
  a##bits __tsan_atomic##bits##_compare_exchange_val(volatile a##bits *p, a##bits expected, a##bits v, int order, int fail) {       \
    return exchange_if_##bits(p, expected, v, order, fail, CALLER);                                                                 \
  }                                                                                                                                 \
  UPDATES(bits, exchange, v)                                                                                                        \
  UPDATES(bits, fetch_add, (a##bits)(old + v))                                                                                      \
  UPDATES(bits, fetch_sub, (a##bits)(old - v))                                                                                      \
  UPDATES(bits, fetch_and, (a##bits)(old & v))                                                                                      \
  UPDATES(bits, fetch_or, (a##bits)(old | v))                                                                                       \
  UPDATES(bits, fetch_xor, (a##bits)(old ^ v))                                                                                      \
  UPDATES(bits, fetch_nand, (a##bits) ~(old & v))

#define UPDATES(bits, name, value)                                                            \
  PUBLIC a##bits __tsan_atomic##bits##_##name(volatile a##bits *p, a##bits v, int order);     \
  a##bits __tsan_atomic##bits##_##name(volatile a##bits *p, a##bits v, int order) {           \
    struct atomic a = begin(p, bits / 8, UPDATE, order, CALLER);                              \
    a##bits old = LOADED(bits, p), seen;                                                      \
    while ((seen = __sync_val_compare_and_swap(p, old, (a##bits)(value))) != old) old = seen; \
    a.read = (uint64_t)old, a.written = (uint64_t)(value);                                    \
    end(&a, UPDATE, true, order);                                                             \
    return old;                                                                               \
  }

/* cmpxchg16b is the only atomic access to 16 bytes that all processors have. */
HOT a128 load_128(const volatile a128 *p) { return __sync_val_compare_and_swap((volatile a128 *)(uintptr_t)p, 0, 0); }
HOT void store_128(volatile a128 *p, a128 v) {
  for (a128 old = load_128(p), seen; (seen = __sync_val_compare_and_swap(p, old, v)) != old;) old = seen;
}
#define LOADED(bits, p)    LOADED_##bits(p)
#define LOADED_8(p)        __atomic_load_n(p, __ATOMIC_SEQ_CST)
#define LOADED_16          LOADED_8
#define LOADED_32          LOADED_8
#define LOADED_64          LOADED_8
#define LOADED_128         load_128
#define STORED(bits, p, v) STORED_##bits(p, v)
#define STORED_8(p, v)     __atomic_store_n(p, v, __ATOMIC_SEQ_CST)
#define STORED_16          STORED_8
#define STORED_32          STORED_8
#define STORED_64          STORED_8
#define STORED_128         store_128

OPERATIONS(8)
OPERATIONS(16)
OPERATIONS(32)
OPERATIONS(64)
OPERATIONS(128)

PUBLIC void __tsan_atomic_thread_fence(int order);
PUBLIC void __tsan_atomic_signal_fence(int order);

void __tsan_atomic_thread_fence(int order) {
  struct thread *t = thread_self();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (!t || t->busy || t->ignore_sync) return;
  if (UNLIKELY(recording)) {
    record_fence(t, order);
    return;
  }
  thread_enter(t);
  if (acquires(order)) thread_acquire(t, t->fence_acquire);
  if (releases(order)) thread_release(t, &t->fence_release);
  thread_leave(t);
}

void __tsan_atomic_signal_fence(int order) {
  (void)order;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
