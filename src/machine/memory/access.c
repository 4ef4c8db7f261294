#include "machine/memory/access.h"

#include <string.h>

#include "machine/memory/buffer.h"
#include "machine/memory/memory.h"
#include "machine/symbolic/symbolic.h"

/* The OR and the AND of the shadow bytes of [address, +size). */
static void shadow_scan(uint64_t address, uint64_t size, uint8_t *any, uint8_t *all) {
  const uint8_t *shadow = shadow_at(address);
  if (size == 4 && *(const uint32_t *)shadow == *shadow * 0x01010101u) { /* by far the most frequent */
    *any = *all = *shadow;
    return;
  }
  if (size == 8 && *(const uint64_t *)shadow == *shadow * 0x0101010101010101u) {
    *any = *all = *shadow;
    return;
  }
  uint64_t or_words = 0, and_words = UINT64_MAX;
  uint8_t o = 0, a = 0xff;
  for (; size >= 8; size -= 8, shadow += 8) {
    uint64_t word;
    memcpy(&word, shadow, 8);
    or_words |= word, and_words &= word;
  }
  for (; size > 0; size--, shadow++) o |= *shadow, a &= *shadow;
  for (unsigned i = 0; i < 64; i += 8) o |= (uint8_t)(or_words >> i), a &= (uint8_t)(and_words >> i);
  *any = o, *all = a;
}

static const char *verb(bool write) { return write ? "write" : "read"; }

static void add_block_sites(struct machine *m, uint64_t address) {
  struct heap_block block;
  if (!heap_find(m, address, &block)) return;
  if (!block.live) machine_fail_site(m, block.free_thread, block.free_site, "freed");
  machine_fail_site(m, block.alloc_thread, block.alloc_site, "allocated");
}

static enum run fail_heap(struct machine *m, struct thread *t, uint64_t address, uint64_t size, bool write) {
  struct heap_block block;
  if (!heap_find(m, address, &block))
    return machine_fail(m, t, FINDING_OUT_OF_BOUNDS, verb(write), "%s of %llu bytes outside of any object", verb(write),
                        (unsigned long long)size);
  int64_t offset = (int64_t)(address - block.address);
  machine_fail(m, t, FINDING_OUT_OF_BOUNDS, verb(write), "%s of %llu byte%s at offset %lld of a heap block of %llu byte%s", verb(write),
               (unsigned long long)size, size == 1 ? "" : "s", (long long)offset, (unsigned long long)block.size,
               block.size == 1 ? "" : "s");
  add_block_sites(m, address);
  return RUN_STOP;
}

/* The program declares the variable, and nobody defines it. */
static enum run fail_missing(struct machine *m, struct thread *t, uint64_t address) {
  struct text name = {0};
  machine_object_text(m, address, 1, &name);
  enum run run = machine_unsupported(m, t, "undefined variable %s", text_str(&name));
  text_release(&name);
  return run;
}

/* Why the byte is not addressable. What lay on a stack above its present pointer may have been forgotten by a rollback. */
static enum poison poison_at(const struct machine *m, uint64_t address) {
  uint8_t shadow = *shadow_at(address);
  uint32_t owner = region_of(address);
  if (shadow & SHADOW_OK) return POISON_NONE;
  if ((shadow & 7) == POISON_NONE && owner < THREADS_MAX) {
    const struct region *r = &m->memory.regions[owner];
    if (address >= r->sp && address < r->peak_sp) return POISON_DEAD_STACK;
  }
  return (enum poison)(shadow & 7);
}

static bool is_thread_local(const struct machine *m, uint64_t address) {
  return address - region_tls(region_of(address)) < m->image->header->tls_size;
}

/* The first byte of the access that is not addressable is at `bad`. */
static enum run fail_poison(struct machine *m, struct thread *t, uint64_t address, uint64_t size, uint64_t bad, bool write) {
  unsigned long long n = size;
  switch (poison_at(m, bad)) {
    case POISON_FREED:
      machine_fail(m, t, FINDING_USE_AFTER_FREE, verb(write), "%s of %llu byte%s of a freed heap block", verb(write), n, n == 1 ? "" : "s");
      add_block_sites(m, bad);
      return RUN_STOP;
    case POISON_HEAP_GAP:
      return fail_heap(m, t, address, size, write);
    case POISON_DEAD_STACK:
      return machine_fail(m, t, FINDING_USE_AFTER_FREE, verb(write), "%s of %llu byte%s of a %s that no longer exists", verb(write), n,
                          n == 1 ? "" : "s", is_thread_local(m, bad) ? "thread-local variable" : "local variable");
    case POISON_STACK_GAP:
      return machine_fail(m, t, FINDING_OUT_OF_BOUNDS, verb(write), "%s of %llu byte%s outside of a local variable", verb(write), n,
                          n == 1 ? "" : "s");
    case POISON_SYNC_DESTROYED:
      return machine_fail(m, t, FINDING_USE_AFTER_FREE, verb(write), "%s of a destroyed synchronisation object", verb(write));
    case POISON_MISSING:
      return fail_missing(m, t, bad);
    case POISON_GLOBAL_GAP:
    case POISON_NONE:
      break;
  }
  if (address >= GLOBALS_BASE && address < m->memory.globals_end)
    return machine_fail(m, t, FINDING_OUT_OF_BOUNDS, verb(write), "%s of %llu byte%s outside of a global variable", verb(write), n,
                        n == 1 ? "" : "s");
  if (region_of(address) < THREADS_MAX && address >= region_base(region_of(address)) + REGION_STACK_SIZE)
    return fail_heap(m, t, address, size, write);
  return machine_fail(m, t, FINDING_OUT_OF_BOUNDS, verb(write), "%s of %llu byte%s at an address that belongs to no object", verb(write), n,
                      n == 1 ? "" : "s");
}

enum run access_check(struct machine *m, struct thread *t, uint64_t address, uint64_t size, bool write) {
  if (size == 0) return RUN_GO;
  if (address < 65536)
    return machine_fail(m, t, FINDING_NULL_DEREFERENCE, verb(write), "%s of %llu byte%s through a null pointer%s", verb(write),
                        (unsigned long long)size, size == 1 ? "" : "s", address ? " with an offset" : "");
  if (!in_arena(address, size))
    return machine_fail(m, t, FINDING_OUT_OF_BOUNDS, verb(write), "%s of %llu byte%s through a pointer that points to %s", verb(write),
                        (unsigned long long)size, size == 1 ? "" : "s",
                        address >= TEXT_BASE && address < ARENA_BASE ? "a function" : "no memory of the program");
  uint8_t any, all;
  shadow_scan(address, size, &any, &all);
  if (!(all & SHADOW_OK)) {
    uint64_t bad = address;
    while (*shadow_at(bad) & SHADOW_OK) bad++;
    return fail_poison(m, t, address, size, bad, write);
  }
  if (write && (any & SHADOW_READONLY)) return machine_fail(m, t, FINDING_OUT_OF_BOUNDS, "write", "write to constant memory");
  if (m->symbolic && m->symbolic->builtin) symbolic_fix_memory(m, address, size);
  return RUN_GO;
}

/* A store is about to change memory. RUN_GO: no synchronisation object is there that another thread uses now. */
static inline enum run spare_objects(struct machine *m, struct thread *t, uint64_t address, uint64_t size) {
  uint8_t any, all;
  shadow_scan(address, size, &any, &all);
  return any & SHADOW_OBJECT ? sync_overwrite(m, t, address, size) : RUN_GO;
}

/* Is the access to memory that others may touch? Notes who touches what (docs/architecture.md, The way of a check). */
static bool meets_others(struct machine *m, struct thread *t, uint64_t address, uint64_t size, bool write) {
  uint8_t any, all;
  shadow_scan(address, size, &any, &all);
  if (any & SHADOW_SHARED) {
    /* Parts that are not shared yet become so: one event covers the whole access. */
    if (!(all & SHADOW_SHARED)) memory_share(&m->memory, address, size);
    return true;
  }
  uint32_t owner = region_of(address);
  if (owner == t->tid && !m->options.no_narrowing && !interrupted_memory(t, address)) return false;
  if (all & SHADOW_READONLY) return false;
  if (owner == UINT32_MAX && !m->options.no_narrowing) return memory_touch_global(&m->memory, toucher(t), address, size, write);
  memory_share(&m->memory, address, size);
  return true;
}

/* Is the access a step? Where the thread may be stopped for good, each of its writes is one. */
static bool is_shared(struct machine *m, struct thread *t, uint64_t address, uint64_t size, bool write) {
  return meets_others(m, t, address, size, write) || (write && may_be_abandoned(m, t));
}

bool access_shared(struct machine *m, struct thread *t, uint64_t address, uint64_t size, bool write) {
  return !m->single && is_shared(m, t, address, size, write);
}

void access_note_unset(struct machine *m, uint64_t address, uint64_t size) {
  m->unset[0] = uninitialised_bits(address, size);
  m->unset[1] = size > 8 ? uninitialised_bits(address + 8, size - 8) : 0;
}

static uint64_t peek(uint64_t address, uint64_t size) {
  uint64_t value = 0;
  memcpy(&value, host_at(address), size < 8 ? size : 8);
  return value;
}

uint8_t store_flags(const struct machine *m, const struct thread *t, enum event_order order) {
  return m->buffers && !t->atomic && order != ORDER_SEQ_CST ? EVENT_BUFFERED : 0;
}

/* Under TSO only what is sequentially consistent waits: stores stay in order, and loads do. */
uint8_t fence_flags(const struct machine *m, enum event_order order) {
  if (!m->buffers) return 0;
  return order == ORDER_SEQ_CST || (m->buffers->pso && order != ORDER_ACQUIRE) ? EVENT_DRAINS : 0;
}

enum run access_flush(struct machine *m, struct thread *t, uint64_t address, uint64_t size) {
  enum run run = spare_objects(m, t, address, size);
  if (run != RUN_GO) m->finding.sites.data[0].event = (uint32_t)m->trace.count - 1;
  return run;
}

void access_fail_flush(struct machine *m, struct thread *t, uint64_t address, uint64_t size) {
  uint64_t bad = address;
  while (bad + 1 < address + size && (*shadow_at(bad) & SHADOW_OK)) bad++;
  if (*shadow_at(bad) & SHADOW_OK) { /* it was freed, and is in use again */
    machine_fail(m, t, FINDING_USE_AFTER_FREE, "write", "write of %llu byte%s of memory that was freed before it became visible",
                 (unsigned long long)size, size == 1 ? "" : "s");
    add_block_sites(m, address);
  } else {
    fail_poison(m, t, address, size, bad, true);
  }
  m->finding.sites.data[0].event = (uint32_t)m->trace.count - 1;
}

/* A step that stores has been recorded, and is about to: into the buffer if there is one, or to memory. */
static inline enum run issue(struct machine *m, struct thread *t, uint64_t address, uint64_t size) {
  if (!m->buffers || m->single || !(vec_last(&m->trace).flags & EVENT_BUFFERED)) return spare_objects(m, t, address, size);
  buffer_issue(m, t, address, size);
  return RUN_GO;
}

/* Memory of another thread that has been freed, or is that of a local which is gone: what its owner did to it, and that it freed it, are
 * steps from now on. */
static void share_lost(struct machine *m, const struct thread *t, uint64_t address, uint64_t size) {
  uint32_t owner = region_of(address);
  if (owner == t->tid || owner >= THREADS_MAX || region_of(address + size - 1) != owner) return;
  for (uint64_t i = 0; i < size; i++) {
    enum poison why = poison_at(m, address + i);
    if (why == POISON_FREED || why == POISON_DEAD_STACK) memory_share(&m->memory, address + i, 1);
  }
}

/* An access that fails because of what another thread did (a free) is a step all the same: it could have come first. False if that step has
 * yet to be granted. */
static bool failing_step(struct machine *m, struct thread *t, enum event_op op, uint64_t address, uint64_t size) {
  if (m->single || !in_arena(address, size)) return true;
  uint8_t any, all;
  shadow_scan(address, size, &any, &all);
  if (all & SHADOW_OK) return true;
  share_lost(m, t, address, size);
  if (op == EVENT_WRITE) t->next_flags = store_flags(m, t, (enum event_order)t->next_order);
  return machine_visible(m, t, op, address, size, 0, false);
}

enum run access_plain_read(struct machine *m, struct thread *t, uint64_t address, uint64_t size) {
  if (size == 0) return RUN_GO;
  if (!failing_step(m, t, EVENT_READ, address, size)) return RUN_YIELD;
  enum run run = access_check(m, t, address, size, false);
  if (run != RUN_GO) return run;
  if (m->single || !is_shared(m, t, address, size, false)) return RUN_GO;
  if (!machine_visible(m, t, EVENT_READ, address, size, 0, false)) return RUN_YIELD;
  access_read_done(m, t, address, size, peek(address, size));
  return RUN_GO;
}

static void prepare_write(struct machine *m, uint64_t address, uint64_t size) {
  memory_log(&m->memory, address, size);
  uint8_t *shadow = shadow_at(address);
  for (uint64_t i = 0; i < size; i++) shadow[i] &= (uint8_t)~SHADOW_UNINIT;
}

enum run access_plain_write(struct machine *m, struct thread *t, uint64_t address, uint64_t size, uint64_t value) {
  if (size == 0) return RUN_GO;
  if (!failing_step(m, t, EVENT_WRITE, address, size)) return RUN_YIELD;
  enum run run = access_check(m, t, address, size, true);
  if (run != RUN_GO) return run;
  bool own = region_of(address) == t->tid;
  if (!m->single && is_shared(m, t, address, size, true)) {
    t->next_flags = store_flags(m, t, ORDER_PLAIN);
    if (!machine_visible(m, t, EVENT_WRITE, address, size, 0, false)) return RUN_YIELD;
    machine_last_event(m)->value = value;
    if ((run = issue(m, t, address, size)) != RUN_GO) return run;
    own = false;
  } else if ((run = spare_objects(m, t, address, size)) != RUN_GO) {
    return run;
  }
  if (own)
    t->wrote_private = true;
  else
    t->wrote = true;
  prepare_write(m, address, size);
  return RUN_GO;
}

enum run access_atomic_slow(struct machine *m, struct thread *t, enum event_op op, uint64_t address, uint64_t size,
                            enum event_order order) {
  if (!m->single) t->next_order = (uint8_t)order;
  if (!failing_step(m, t, op, address, size)) return RUN_YIELD;
  enum run run = access_check(m, t, address, size, op != EVENT_READ);
  if (run != RUN_GO) return run;
  if (!m->single) {
    is_shared(m, t, address, size, op != EVENT_READ);
    t->next_order = (uint8_t)order;
    if (op == EVENT_WRITE) t->next_flags = store_flags(m, t, order);
    if (!machine_visible(m, t, op, address, size, 0, false)) return RUN_YIELD;
  }
  if (op == EVENT_READ) return RUN_GO;                     /* what depends on it is found later */
  if (op == EVENT_RMW && uninitialised_all(address, size)) /* C11 7.17.2: before its initialisation an atomic object has no value. At the
                                                              step, for others may initialise it. */
    return machine_fail(m, t, FINDING_UNINITIALISED, "read-modify-write", "atomic read-modify-write of %llu uninitialised byte%s",
                        (unsigned long long)size, size == 1 ? "" : "s");
  if (op == EVENT_RMW) access_note_unset(m, address, size);
  run = op == EVENT_WRITE ? issue(m, t, address, size) : spare_objects(m, t, address, size);
  if (run == RUN_GO) prepare_write(m, address, size);
  return run;
}

enum run access_read(struct machine *m, struct thread *t, uint64_t address, uint32_t n, uint64_t *value) {
  enum run run = access_check(m, t, address, n, false);
  if (run == RUN_GO) *value = peek(address, n);
  return run;
}

enum run access_write(struct machine *m, struct thread *t, uint64_t address, uint32_t n, uint64_t value) {
  enum run run = access_check(m, t, address, n, true);
  if (run != RUN_GO) return run;
  prepare_write(m, address, n);
  memcpy(host_at(address), &value, n);
  return RUN_GO;
}

enum run access_store(struct machine *m, struct thread *t, uint64_t to, const void *bytes, uint64_t n) {
  uint64_t value = 0;
  memcpy(&value, bytes, n < 8 ? n : 8);
  enum run run = access_plain_write(m, t, to, n, value);
  if (run == RUN_GO && n) memcpy(host_at(to), bytes, n);
  return run;
}

const char *access_string(struct machine *m, struct thread *t, uint64_t address) {
  uint64_t n = 0;
  do {
    if (access_check(m, t, address + n, 1, false) != RUN_GO) return NULL;
  } while (*(const char *)host_at(address + n++));
  return host_at(address);
}

/* --- blocks --- */

/* What a copy has read is carried behind the thread's slots while others go on between its read and its write step: bytes, then shadow. */
void access_carry(struct thread *t, uint64_t from, uint64_t size) {
  uint64_t words = (size + 7) / 8;
  t->carried = (uint32_t)(2 * words);
  uint64_t *to = vec_push_n(&t->slots, 2 * words);
  to[words - 1] = to[2 * words - 1] = 0;
  memcpy(to, host_at(from), size);
  memcpy(to + words, shadow_at(from), size);
}

static void copy_shadow(uint8_t *to, const uint8_t *from, uint64_t size) {
  if (to <= from)
    for (uint64_t i = 0; i < size; i++) to[i] = (uint8_t)((to[i] & ~SHADOW_UNINIT) | (from[i] & SHADOW_UNINIT));
  else
    for (uint64_t i = size; i-- > 0;) to[i] = (uint8_t)((to[i] & ~SHADOW_UNINIT) | (from[i] & SHADOW_UNINIT));
}

static void write_carried(struct thread *t, uint64_t to, uint64_t size) {
  const uint64_t *from = access_carried(t);
  memcpy(host_at(to), from, size);
  copy_shadow(shadow_at(to), (const uint8_t *)(from + t->carried / 2), size);
  access_carried_done(t);
}

/* t->phase is 0, or 1 between the read and the write step of one copy. */
enum run access_copy(struct machine *m, struct thread *t, uint64_t to, uint64_t from, uint64_t size, bool may_overlap) {
  if (size == 0) return RUN_GO;
  enum run run;
  bool seen = false;
  if (t->phase == 0) {
    t->carried = 0; /* of a copy that was cancelled */
    if (!failing_step(m, t, EVENT_WRITE, to, size) || !failing_step(m, t, EVENT_READ, from, size)) return RUN_YIELD;
    if ((run = access_check(m, t, to, size, true)) != RUN_GO) return run;
    if ((run = access_check(m, t, from, size, false)) != RUN_GO) return run;
    if (!may_overlap && to != from && to < from + size && from < to + size)
      return machine_fail(m, t, FINDING_OUT_OF_BOUNDS, "write", "memcpy of overlapping blocks");
    if (!m->single && is_shared(m, t, from, size, false)) {
      if (!machine_visible(m, t, EVENT_READ, from, size, 0, false)) return RUN_YIELD;
      access_read_done(m, t, from, size, peek(from, size));
      seen = true;
    }
    t->phase = 1;
  } else { /* others may have freed the target since its read step */
    if (!failing_step(m, t, EVENT_WRITE, to, size)) return RUN_YIELD;
    if ((run = access_check(m, t, to, size, true)) != RUN_GO) return run;
  }
  t->wrote = true; /* blocks are not looked at */
  if (!m->single && is_shared(m, t, to, size, true)) {
    t->next_flags = store_flags(m, t, ORDER_PLAIN);
    if (!machine_visible(m, t, EVENT_WRITE, to, size, 0, false)) {
      if (seen) access_carry(t, from, size);
      return RUN_YIELD;
    }
    machine_last_event(m)->value = t->carried ? t->slots.data[t->slots.count - t->carried] : peek(from, size);
    if ((run = issue(m, t, to, size)) != RUN_GO) return run;
  } else if ((run = spare_objects(m, t, to, size)) != RUN_GO) {
    return run;
  }
  t->phase = 0;
  memory_log(&m->memory, to, size);
  if (t->carried) {
    write_carried(t, to, size);
    return RUN_GO;
  }
  memmove(host_at(to), host_at(from), size);
  uint8_t any, all, *target = shadow_at(to);
  const uint8_t *source = shadow_at(from);
  shadow_scan(from, size, &any, &all);
  if (!(any & SHADOW_UNINIT)) {
    shadow_scan(to, size, &any, &all);
    if (!(any & SHADOW_UNINIT)) return RUN_GO;
  }
  copy_shadow(target, source, size);
  return RUN_GO;
}

enum run access_fill(struct machine *m, struct thread *t, uint64_t to, uint8_t byte, uint64_t size) {
  uint64_t value = byte * 0x0101010101010101ull;
  enum run run = access_plain_write(m, t, to, size, value);
  if (run == RUN_GO && size) memset(host_at(to), byte, size);
  return run;
}

bool access_lifetime(struct machine *m, struct thread *t, uint64_t address, uint64_t size, bool start) {
  const struct region *r = &m->memory.regions[t->tid];
  if (!in_arena(address, size) || region_of(address) != t->tid || address + size > r->sp || size == 0) return true;
  if (!(start ? life_begins(m, t, address, size) : life_ends(m, t, address, address + size))) return false;
  if (m->buffers) buffers_forget(m, t->tid, address, size);
  memory_shadow_set(&m->memory, address, size, start ? SHADOW_OK | SHADOW_UNINIT : POISON_DEAD_STACK);
  if (!start) return true;
  memory_log(&m->memory, address, size);
  memset(host_at(address), 0, size);
  memory_apply_shared(&m->memory, t->tid, address, size);
  return true;
}

/* --- layouts --- */

static void leaves_load(const struct image *image, uint32_t layout, const uint8_t *from, uint64_t *slots) {
  const struct image_layout *l = &image->layouts[layout];
  for (uint32_t i = 0; i < l->count; i++) {
    const struct image_leaf *leaf = &image->leaves[l->first + i];
    slots[0] = 0;
    if (leaf->kind == LEAF_BIT) {
      slots[0] = from[leaf->offset / 8] >> (leaf->offset % 8) & 1;
    } else if (leaf->kind == LEAF_WIDE) {
      slots[1] = 0;
      memcpy(slots++, from + leaf->offset, leaf->bytes);
    } else {
      memcpy(slots, from + leaf->offset, leaf->bytes);
    }
    slots++;
  }
}

static void leaves_store(const struct image *image, uint32_t layout, uint8_t *to, const uint64_t *slots) {
  const struct image_layout *l = &image->layouts[layout];
  for (uint32_t i = 0; i < l->count; i++) {
    const struct image_leaf *leaf = &image->leaves[l->first + i];
    if (leaf->kind == LEAF_BIT) {
      uint8_t bit = (uint8_t)(1u << (leaf->offset % 8));
      to[leaf->offset / 8] = (uint8_t)(slots[0] & 1 ? to[leaf->offset / 8] | bit : to[leaf->offset / 8] & ~bit);
    } else {
      memcpy(to + leaf->offset, slots, leaf->bytes);
      if (leaf->kind == LEAF_WIDE) slots++;
    }
    slots++;
  }
}

void layout_load(const struct image *image, uint32_t layout, uint64_t address, uint64_t *slots) {
  leaves_load(image, layout, host_at(address), slots);
}

void layout_store(const struct image *image, uint32_t layout, uint64_t address, const uint64_t *slots) {
  leaves_store(image, layout, host_at(address), slots);
}

void layout_convert(const struct image *image, uint32_t from_layout, uint32_t to_layout, uint64_t *to, const uint64_t *from) {
  uint8_t bytes[1024] = {0};
  if (image->layouts[from_layout].size > sizeof bytes || image->layouts[to_layout].size > sizeof bytes) return;
  leaves_store(image, from_layout, bytes, from);
  leaves_load(image, to_layout, bytes, to);
}
