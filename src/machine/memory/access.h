/* Accesses that are not simply done: the interpreter's slow path. An access comes here when its shadow says that it is out of bounds,
 * uninitialised, logged, shared, or when the address belongs to globals or another thread while several threads exist. */
#pragma once
#include "machine/internal.h"

/* Is memory that `t` touches shared with others? Notes that it was touched. */
bool access_shared(struct machine *m, struct thread *t, uint64_t address, uint64_t size, bool write);

/* Plain read of [address, +size): checks, sharing, visibility. RUN_GO: the caller may copy the bytes. */
enum run access_plain_read(struct machine *m, struct thread *t, uint64_t address, uint64_t size);
/* Plain write; `value` is what will be written as far as it fits in 8 bytes. RUN_GO: logged and marked initialised; the caller writes. */
enum run access_plain_write(struct machine *m, struct thread *t, uint64_t address, uint64_t size, uint64_t value);
/* The low `size` bytes of a word, 1 <= size <= 8. */
static inline uint64_t access_mask(uint64_t size) { return UINT64_MAX >> (64 - 8 * size); }

/* Nearly every visible access: of 1, 2, 4 or 8 bytes, in the arena, addressable, initialised, writable and known to be shared. */
static inline bool access_word_shared(uint64_t address, uint64_t size) {
  const uint64_t every = 0x0101010101010101ull, want = every * (SHADOW_OK | SHADOW_SHARED);
  if (address - ARENA_BASE > ARENA_SIZE - 8) return false;
  return (((*(const uint64_t *)shadow_at(address) & ~(every * SHADOW_CLEAN)) ^ want) & access_mask(size)) == 0;
}

/* The same, of any size. */
static inline bool access_plainly_shared(uint64_t address, uint64_t size) {
  return size <= 8 && !(size & (size - 1)) && access_word_shared(address, size);
}

/* Is any of the bytes uninitialised? */
static inline bool uninitialised_any(uint64_t address, uint64_t size) {
  for (uint64_t i = 0; i < size; i++)
    if (*shadow_at(address + i) & SHADOW_UNINIT) return true;
  return false;
}

/* All bits of those that are, of the first eight. */
static inline uint64_t uninitialised_bits(uint64_t address, uint64_t size) {
  uint64_t mask = 0;
  for (uint64_t i = 0; i < size && i < 8; i++)
    if (*shadow_at(address + i) & SHADOW_UNINIT) mask |= 0xffull << 8 * i;
  return mask;
}

static inline bool uninitialised_all(uint64_t address, uint64_t size) {
  uint64_t i = 0;
  while (i < size && (*shadow_at(address + i) & SHADOW_UNINIT)) i++;
  return i == size;
}

/* Into machine->unset: what of [address, address + size) is. */
void access_note_unset(struct machine *m, uint64_t address, uint64_t size);

/* To be called when a visible read has its value: completes the event and the spin detector's memory. */
static inline void access_read_done(struct machine *m, struct thread *t, uint64_t address, uint64_t size, uint64_t value) {
  machine_last_event(m)->value = value;
  if (!m->single && t->noting) spin_note(m, t, t->frames.count ? vec_last(&t->frames).pc : 0, address, size, value, false);
}

/* After access_plainly_shared(): does the granule have to be logged? Its CLEAN bits are set and cleared together. */
static inline bool access_any_clean(uint64_t address, uint64_t size) {
  return (*shadow_at(address) | *shadow_at(address + size - 1)) & SHADOW_CLEAN;
}

/* While there is one thread: an atomic access of 1, 2, 4 or 8 bytes that are simply there, initialised, and for a write not to be logged.
 */
static inline bool access_atomic_plain(uint64_t address, uint64_t size, bool write) {
  const uint64_t every = 0x0101010101010101ull, want = every * SHADOW_OK;
  const uint64_t look = every * (SHADOW_OK | SHADOW_UNINIT | (write ? SHADOW_READONLY | SHADOW_CLEAN | SHADOW_OBJECT : 0u));
  if (size > 8 || (size & (size - 1)) || address - ARENA_BASE > ARENA_SIZE - 8) return false;
  return (((*(const uint64_t *)shadow_at(address) & look) ^ want) & access_mask(size)) == 0;
}

/* Atomic access, always visible unless single; op is READ, WRITE or RMW. RUN_GO: the caller performs it. */
enum run access_atomic_slow(struct machine *m, struct thread *t, enum event_op op, uint64_t address, uint64_t size, enum event_order order);
/* *slowly: the memory may be uninitialised. */
[[gnu::always_inline]] static inline enum run access_atomic_how(struct machine *m, struct thread *t, enum event_op op, uint64_t address,
                                                                uint64_t size, enum event_order order, bool *slowly) {
  *slowly = true;
  if ((op == EVENT_WRITE ? m->stores_long : m->single) || t->atomic || !access_plainly_shared(address, size)) {
    *slowly = !m->single || !access_atomic_plain(address, size, op != EVENT_READ);
    if (!*slowly) return RUN_GO;
    return access_atomic_slow(m, t, op, address, size, order);
  }
  if (!t->granted) {
    step_name(m, t, op, (uint8_t)order, 0, address, size, 0);
    return RUN_YIELD;
  }
  if (!event_granted(m, t, op)) return access_atomic_slow(m, t, op, address, size, order);
  *slowly = false;
  if (op != EVENT_READ && access_any_clean(address, size)) memory_log(&m->memory, address, size);
  return RUN_GO;
}
[[gnu::always_inline]] static inline enum run access_atomic(struct machine *m, struct thread *t, enum event_op op, uint64_t address,
                                                            uint64_t size, enum event_order order) {
  bool slowly;
  return access_atomic_how(m, t, op, address, size, order, &slowly);
}

/* What a builtin writes for the program, as a plain write of its own: a step if others may look there, so the builtin is called again and
 * must have done nothing that it must not do twice. */
enum run access_store(struct machine *m, struct thread *t, uint64_t to, const void *bytes, uint64_t n);
/* The thread has read [from, +size) in the step just taken and needs it in its next one: keeps the bytes while others go on, until
 * access_carried_done(). */
void access_carry(struct thread *t, uint64_t from, uint64_t size);
static inline const void *access_carried(const struct thread *t) { return t->slots.data + t->slots.count - t->carried; }
static inline void access_carried_done(struct thread *t) { t->slots.count -= t->carried, t->carried = 0; }

/* Block operations: a visible read step if the source is shared, then a visible write step if the target is. */
enum run access_copy(struct machine *m, struct thread *t, uint64_t to, uint64_t from, uint64_t size, bool may_overlap);
enum run access_fill(struct machine *m, struct thread *t, uint64_t to, uint8_t byte, uint64_t size);
/* A local variable's lifetime starts or ends: its content becomes uninitialised, or it becomes unaddressable. False: others may reach it,
 * so that is a step which has yet to be granted. */
bool access_lifetime(struct machine *m, struct thread *t, uint64_t address, uint64_t size, bool start);

/* Values of several leaves (image.h, layouts), between slots and addressable memory. */
void layout_load(const struct image *image, uint32_t layout, uint64_t address, uint64_t *slots);
void layout_store(const struct image *image, uint32_t layout, uint64_t address, const uint64_t *slots);
/* A bit cast: from..'s value in layout `from_layout` read back in layout `to_layout`. */
void layout_convert(const struct image *image, uint32_t from_layout, uint32_t to_layout, uint64_t *to, const uint64_t *from);
