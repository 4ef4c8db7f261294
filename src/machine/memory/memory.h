/* The memory of the program under test: one arena at a fixed address, with a shadow byte for each byte.
 *
 * The shadow byte answers in one comparison whether an access may simply be done:
 *   SHADOW_OK        addressable; without it the low bits say why not (enum poison)
 *   SHADOW_UNINIT    never written since it was allocated
 *   SHADOW_CLEAN     unchanged since the last mark: the first write must be logged
 *   SHADOW_READONLY  constants
 *   SHADOW_SHARED    touched by several threads: each access is a visible step
 *   SHADOW_OBJECT    with SHADOW_OK: the low bits of a byte of a synchronisation object that was used here (sync/object.c). At its first
 *                    byte they name its kind and are part of the state; at the others they are OBJECT_REST, a reminder for stores
 * A load is plain when OK is set and UNINIT and SHARED are not; a store when OK alone is set.
 *
 * Marks. memory_mark() makes the present content one that memory_rollback() can return to; marks are a stack, the lowest is the initial
 * state. Memory that was in use at a mark is restored from a log of 8-byte granules (content and shadow), written on the first change
 * of each since the last mark; memory above the region frontiers of the mark (a stack above the highest that its pointer was at a mark, a
 * heap above its top) is only made unaddressable again. So rolling back costs what was changed, not what there is. Fresh memory is
 * zeroed when it is allocated: executions are deterministic.
 *
 * Invariant: bytes that are not SHADOW_OK are read by the machine alone (heap headers, free lists). */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"
#include "program/layout.h"
#include "trace/event.h"

enum shadow {
  SHADOW_OBJECT = 0x07,
  SHADOW_SHARED = 0x08,
  SHADOW_READONLY = 0x10,
  SHADOW_OK = 0x20,
  SHADOW_UNINIT = 0x40,
  SHADOW_CLEAN = 0x80
};
#define OBJECT_REST      SHADOW_OBJECT
#define SHADOW_LOAD_MASK (SHADOW_OK | SHADOW_UNINIT | SHADOW_SHARED)

/* Why a byte is not addressable: the low three bits of a shadow byte without SHADOW_OK. */
enum poison {
  POISON_NONE,
  POISON_STACK_GAP,
  POISON_HEAP_GAP,
  POISON_FREED,
  POISON_GLOBAL_GAP,
  POISON_DEAD_STACK,
  POISON_SYNC_DESTROYED,
  POISON_MISSING
};

struct granule {
  uint64_t address, data, shadow;
};

struct region {
  uint64_t sp, heap_top;            /* first free byte of the stack and of the heap */
  uint64_t mark_sp, mark_heap;      /* frontiers of the last mark; 0: the region was not in use */
  uint64_t high_sp, high_heap;      /* highest since the last rollback */
  uint64_t peak_sp;                 /* highest of this execution */
  uint64_t low_sp;                  /* lowest that stack_restore() set: for who asks (machine.c) to set and to look at */
  uint64_t shared_low, shared_high; /* bounds of this region's memory that is known to be shared */
  uint64_t stack_low, stack_high;   /* the same of its stack and thread-locals alone; both 0: none of that is */
  VEC(uint64_t) blocks;             /* addresses of heap blocks, ascending */
};

/* A region at a mark. */
struct region_mark {
  uint64_t sp, heap_top, mark_sp, mark_heap, peak_sp;
  size_t blocks;
};

struct memory_mark {
  size_t log;       /* entries written before it */
  size_t regions;   /* its first in memory->region_marks */
  uint32_t nactive; /* how many */
  bool state_known;
  struct fingerprint state; /* memory_state() there, if known */
};

struct memory {
  struct region regions[THREADS_MAX];
  uint8_t active[THREADS_MAX]; /* regions in use, in the order they began */
  uint32_t nactive;
  uint64_t globals_end;
  VEC(struct granule) log;
  struct hashmap first_logged; /* by granule: its first entry */
  VEC(struct memory_mark) marks;
  VEC(struct region_mark) region_marks;
  struct hashmap shared; /* granule addresses of shared memory, kept over rollbacks */
  bool sharing_changed;  /* `shared` grew since the last rollback */
  VEC(uint64_t) new_shared;
  uint16_t *owners; /* of each granule of globals: see memory_touch_global() */
  uint16_t *users;  /* and of those in synchronisation objects: memory_use_global() */
  size_t nowners;
  uint64_t uses;                 /* how often `owners` has changed */
  bool state_asked, state_known; /* memory_state() was ever called; `state` holds for all but the log from state_log on */
  size_t state_log;
  struct fingerprint state;
  size_t print_log; /* memory_fingerprint() knows what had changed up to there, when all was CLEAN: `print` */
  struct fingerprint print;
};

static inline uint8_t *shadow_at(uint64_t address) { return (uint8_t *)(uintptr_t)(address + SHADOW_OFFSET); }
static inline void *host_at(uint64_t address) { return (void *)(uintptr_t)address; }
static inline bool in_arena(uint64_t address, uint64_t size) {
  uint64_t offset = address - ARENA_BASE;
  return offset < ARENA_SIZE && size <= ARENA_SIZE - offset;
}
/* The region (= tid) that an arena address lies in, or UINT32_MAX for globals. */
static inline uint32_t region_of(uint64_t address) { return (uint32_t)((address - ARENA_BASE) / REGION_SIZE) - 1; }

/* Maps the arena. False if the address range is taken or cannot be had. */
bool memory_init(struct memory *mem);
void memory_release(struct memory *mem);

/* Puts the present state on the stack of marks; its number, from 0. Costs what has changed and been allocated since the last one. */
size_t memory_mark(struct memory *mem);
/* Back to mark `number`, which becomes the last one. */
void memory_rollback(struct memory *mem, size_t number);

/* Logs the granules of [address, address + size) that are CLEAN and clears that bit. Call before changing content or shadow. */
void memory_log(struct memory *mem, uint64_t address, uint64_t size);
/* Sets shadow bytes, logging first. Keeps nothing of the old ones. */
void memory_shadow_set(struct memory *mem, uint64_t address, uint64_t size, uint8_t shadow);
/* Writes 8 bytes of the machine's own data in the arena, logging first. 8-byte aligned. */
void memory_put(struct memory *mem, uint64_t address, uint64_t value);
static inline uint64_t memory_get(uint64_t address) { return *(const uint64_t *)host_at(address); }

/* Prepares the region of a thread: TLS block of `tls_size` bytes copied from `tls`, empty stack and heap. */
void region_begin(struct memory *mem, uint32_t tid, const uint8_t *tls, uint64_t tls_size, uint64_t tls_align);
/* The thread has ended and was joined; another one goes on with its region: the TLS block is new, the heap stays as it is. */
void region_begin_again(struct memory *mem, uint32_t tid, const uint8_t *tls, uint64_t tls_size);
static inline uint64_t region_tls(uint32_t tid) { return region_base(tid) + 4096; }

/* Where the next block of the stack with this alignment will lie. */
static inline uint64_t stack_place(uint64_t sp, uint64_t align) {
  if (align < 16) align = 16;
  return (sp + align - 1) & ~(align - 1);
}
/* Stack: `size` fresh zeroed bytes, uninitialised; 0 if the stack is full. */
uint64_t stack_alloc(struct memory *mem, uint32_t tid, uint64_t size, uint64_t align);
/* Back to an earlier stack pointer; what lay above becomes unaddressable. */
void stack_restore(struct memory *mem, uint32_t tid, uint64_t sp);

/* Fresh memory [address, +size) of region `tid`: gives those granules that are known to be shared their SHARED bit. */
void memory_apply_shared(struct memory *mem, uint32_t tid, uint64_t address, uint64_t size);
/* Is any of this memory of the region known to be shared, whatever it is used for at present? */
bool memory_any_shared(const struct memory *mem, uint32_t tid, uint64_t address, uint64_t size);
/* From now on (and in later executions) this memory is shared. */
void memory_share(struct memory *mem, uint64_t address, uint64_t size);
/* Which of [*from, *to) on the region's stack is known to be shared, from the first such granule to the last? False: nothing is. */
bool memory_known_shared(const struct memory *mem, uint32_t tid, uint64_t *from, uint64_t *to);
/* A thread touches globals that are not known to be shared: notes the owner; true if they are shared from now on. A global that
 * several threads only read is not shared. */
bool memory_touch_global(struct memory *mem, uint32_t tid, uint64_t address, uint64_t size, bool write);
/* A thread uses a global as a synchronisation object: what others write to its bytes as to any memory is shared, then and later. Uses of it
 * are steps in any case. */
void memory_use_global(struct memory *mem, uint32_t tid, uint64_t address, uint64_t size);
/* Nothing is new about such a use, as several threads have made it before: that is so of nearly all locks, nearly each time. */
#define USERS_MANY 0x8000u
static inline bool memory_use_known(const struct memory *mem, uint64_t address, uint64_t size) {
  uint64_t i = (address - GLOBALS_BASE) / 8;
  return i < mem->nowners && (address & 7) == 0 && mem->users[i] == (USERS_MANY | size / 8);
}

/* The bytes [address, address + n), n <= 8, at mark 0. False: they were not all in use and written there. */
bool memory_initial(const struct memory *mem, uint64_t address, uint32_t n, uint64_t *value);

/* Fingerprint of all content that differs from mark 0. */
struct fingerprint memory_fingerprint(struct memory *mem);
/* Fingerprint of all that a program can find out about its memory: content, and what is addressable, initialised, freed. Costs what changed
 * since the last call (memory_state.c). */
struct fingerprint memory_state(struct memory *mem);
/* What the present state changes by if the bytes of the mask, in the granule at the address, were 0. */
struct fingerprint memory_state_masked(uint64_t granule, uint64_t mask);
/* The same, computed from the start. */
struct fingerprint memory_state_anew(struct memory *mem);
