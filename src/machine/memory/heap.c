/* The heap of the program under test. One heap a thread, in its region, so that an address depends on that thread's own history
 * alone. A block is [header 16 bytes | user bytes | gap]; header and gap are unaddressable. A freed block goes to the end of its
 * class's queue if its own thread freed it, and is used again only after a number of others (a use after free is then seen); a block
 * that another thread freed is not used again: whether that happens before the next allocation depends on the schedule.
 *
 * Queues live in the arena, at the start of the heap: {head, tail, count} a class; the link of a freed block is its second word, the
 * first one says who freed it. Everything is written through memory_put(), so that rollback and fingerprints cover it. */
#include <string.h>

#include "machine/internal.h"
#include "machine/memory/access.h"
#include "machine/memory/buffer.h"
#include "machine/symbolic/symbolic.h"
#include "machine/sync/sync.h"

#define CLASSES          192u
#define QUEUE_BYTES      24u
#define HEADER           16u
#define QUARANTINE_BYTES (1u << 18)

enum block_state { BLOCK_LIVE = 1, BLOCK_FREED = 2, BLOCK_ALIGNED = 4 /* never used again */ };

/* header: word 0: size; word 1: allocation site | state << 32 | thread << 48 */
static uint64_t header_word(uint32_t site, unsigned state, uint32_t thread) {
  return site | (uint64_t)state << 32 | (uint64_t)thread << 48;
}
static unsigned block_state(uint64_t user) { return (unsigned)(memory_get(user - 8) >> 32 & 0xffff); }
static uint64_t block_size(uint64_t user) { return memory_get(user - HEADER); }

/* Rounds up to the class's capacity; *class_ its number. Classes: multiples of 16 up to 1 KiB, then four for each doubling. */
static uint64_t capacity_of(uint64_t size, uint32_t *class_) {
  if (size < 16) size = 16;
  if (size <= 1024) {
    uint64_t n = (size + 15) / 16;
    *class_ = (uint32_t)n - 1;
    return n * 16;
  }
  unsigned k = 63u - (unsigned)__builtin_clzll(size - 1);
  uint64_t step = 1ull << (k - 2), n = (size + step - 1) / step;
  *class_ = 64 + (k - 10) * 4 + (uint32_t)n - 5;
  return n * step;
}

static uint64_t queue_at(uint32_t tid, uint32_t class_) { return region_base(tid) + REGION_STACK_SIZE + (uint64_t)class_ * QUEUE_BYTES; }

static void heap_begin(struct machine *m, uint32_t tid) {
  struct region *r = &m->memory.regions[tid];
  uint64_t base = region_base(tid) + REGION_STACK_SIZE, bytes = CLASSES * QUEUE_BYTES + 64;
  memset(host_at(base), 0, bytes);
  r->heap_top = base + bytes;
  if (r->heap_top > r->high_heap) r->high_heap = r->heap_top;
}

/* The block that is used again next; 0: a fresh one is. */
static uint64_t next_of_queue(uint32_t tid, uint32_t class_, uint64_t capacity) {
  uint64_t queue = queue_at(tid, class_), head = memory_get(queue), count = memory_get(queue + 16);
  return head && count * capacity >= QUARANTINE_BYTES && count >= 32 ? head : 0;
}

static uint64_t take_from_queue(struct machine *m, uint32_t tid, uint32_t class_, uint64_t capacity) {
  uint64_t head = next_of_queue(tid, class_, capacity), queue = queue_at(tid, class_), count = memory_get(queue + 16);
  if (!head) return 0;
  memory_put(&m->memory, queue, memory_get(head + 8));
  memory_put(&m->memory, queue + 16, count - 1);
  return head;
}

static uint64_t take_fresh(struct machine *m, uint32_t tid, uint64_t capacity, uint64_t align) {
  struct region *r = &m->memory.regions[tid];
  uint64_t user = (r->heap_top + HEADER + align - 1) & ~(align - 1);
  uint64_t limit = region_base(tid) + REGION_SIZE - 4096;
  if (capacity > REGION_SIZE || user + capacity + 16 > limit) return 0;
  uint64_t end = user + capacity + 16;
  memset(host_at(r->heap_top), 0, end - r->heap_top);
  memset(shadow_at(r->heap_top), POISON_HEAP_GAP, end - r->heap_top);
  r->heap_top = end;
  if (end > r->high_heap) r->high_heap = end;
  *vec_push(&r->blocks) = user;
  return user;
}

/* The site that a user takes for that of the allocation or release: not in a container's header but where the container is used. */
static uint32_t user_site(const struct machine *m, const struct thread *t) {
  const struct image *image = m->image;
  if (!(image->sites[m->site].flags & SITE_HEADER)) return m->site;
  for (size_t i = t->frames.count; i-- > 0;) {
    uint32_t site = image->code_sites[t->frames.data[i].pc];
    if (!(t->frames.data[i].tag & FRAME_MODEL) && image->sites[site].line && !(image->sites[site].flags & SITE_HEADER)) return site;
  }
  return m->site;
}

/* A new block, uninitialised unless `zero`; 0 if there is no room. */
static uint64_t heap_alloc(struct machine *m, struct thread *t, uint64_t size, uint64_t align, bool zero) {
  struct region *r = &m->memory.regions[t->tid];
  if (r->heap_top == region_base(t->tid) + REGION_STACK_SIZE || r->heap_top == 0) heap_begin(m, t->tid);
  uint32_t class_;
  if (size >= REGION_SIZE) return 0;
  uint64_t capacity = capacity_of(size, &class_);
  bool aligned = align > 16;
  uint64_t user = aligned ? 0 : take_from_queue(m, t->tid, class_, capacity);
  if (user) {
    memory_log(&m->memory, user, capacity);
    memset(host_at(user), 0, capacity);
    memory_shadow_set(&m->memory, user, capacity, POISON_HEAP_GAP);
  } else if (!(user = take_fresh(m, t->tid, capacity, align < 16 ? 16 : align))) {
    return 0;
  }
  if (m->symbolic) symbolic_forget(m, user, capacity);
  memory_put(&m->memory, user - HEADER, size);
  memory_put(&m->memory, user - 8, header_word(user_site(m, t), BLOCK_LIVE | (aligned ? BLOCK_ALIGNED : 0u), t->tid));
  memory_shadow_set(&m->memory, user, size, (uint8_t)(zero ? SHADOW_OK : SHADOW_OK | SHADOW_UNINIT));
  memory_apply_shared(&m->memory, t->tid, user, size);
  return user;
}

/* The block that the allocation will use again, if others are known to touch it: their access comes too late before that, and finds a block
 * that is there behind. 0: there is none; *size is its size. */
static uint64_t reused_block(const struct machine *m, const struct thread *t, uint64_t wanted, uint64_t align, uint64_t *size) {
  const struct region *r = &m->memory.regions[t->tid];
  bool begun = r->heap_top > region_base(t->tid) + REGION_STACK_SIZE;
  uint32_t class_;
  if (m->single || !begun || r->shared_high == 0 || align > 16 || wanted >= REGION_SIZE) return 0;
  *size = capacity_of(wanted, &class_);
  uint64_t user = next_of_queue(t->tid, class_, *size);
  return user && memory_any_shared(&m->memory, t->tid, user, *size) ? user : 0;
}

/* Before an allocation. False: it is a step, which has yet to be granted. */
static bool block_begins(struct machine *m, struct thread *t, uint64_t wanted, uint64_t align) {
  uint64_t size, user = reused_block(m, t, wanted, align, &size);
  return !user || machine_visible(m, t, EVENT_ALLOC, user, size, 0, false);
}

static bool find_user(const struct machine *m, uint64_t address, uint64_t *user) {
  uint32_t tid = in_arena(address, 1) ? region_of(address) : UINT32_MAX;
  if (tid >= THREADS_MAX) return false;
  const struct region *r = &m->memory.regions[tid];
  size_t from = 0, to = r->blocks.count;
  while (from < to) {
    size_t middle = (from + to) / 2;
    if (r->blocks.data[middle] <= address + HEADER)
      from = middle + 1;
    else
      to = middle;
  }
  if (from == 0) return false;
  *user = r->blocks.data[from - 1];
  return true;
}

bool heap_find(const struct machine *m, uint64_t address, struct heap_block *out) {
  uint64_t user;
  uint32_t class_;
  if (!find_user(m, address, &user)) return false;
  uint64_t word = memory_get(user - 8), size = block_size(user), capacity = capacity_of(size, &class_);
  if (address >= user + capacity + 16) return false;
  uint64_t freed = memory_get(user);
  bool live = (word >> 32 & BLOCK_LIVE) != 0;
  *out = (struct heap_block){
      .address = user, .size = size, .alloc_site = (uint32_t)word, .alloc_thread = (uint32_t)(word >> 48), .live = live};
  if (!live) out->free_site = (uint32_t)freed, out->free_thread = (uint32_t)(freed >> 32);
  return true;
}

struct fingerprint heap_fingerprint(const struct machine *m) {
  struct fingerprint f = {0};
  for (uint32_t k = 0; k < m->memory.nactive; k++) {
    const struct region *r = &m->memory.regions[m->memory.active[k]];
    for (size_t i = 0; i < r->blocks.count; i++) {
      uint64_t user = r->blocks.data[i];
      if (block_state(user) & BLOCK_LIVE) fingerprint_xor(&f, fingerprint_of(user - HEADER, block_size(user))); /* a key of its own */
    }
  }
  return f;
}

static enum run bad_free(struct machine *m, struct thread *t, uint64_t address) {
  struct heap_block block;
  if (!heap_find(m, address, &block)) return machine_fail(m, t, FINDING_BAD_FREE, "free", "free of something that was not allocated");
  if (!block.live && block.address == address) {
    machine_fail(m, t, FINDING_DOUBLE_FREE, "free", "heap block of %llu byte%s freed twice", (unsigned long long)block.size,
                 block.size == 1 ? "" : "s");
    machine_fail_site(m, block.free_thread, block.free_site, "freed");
  } else {
    machine_fail(m, t, FINDING_BAD_FREE, "free", "free of an address inside a heap block, at offset %lld",
                 (long long)(address - block.address));
  }
  machine_fail_site(m, block.alloc_thread, block.alloc_site, "allocated");
  return RUN_STOP;
}

/* Checks that `user` is a live block; makes the finding otherwise. */
static bool is_live_block(struct machine *m, uint64_t address) {
  uint64_t user;
  return find_user(m, address, &user) && user == address && (block_state(user) & BLOCK_LIVE);
}

static bool block_is_shared(struct machine *m, struct thread *t, uint64_t user, uint64_t size) {
  if (region_of(user) != t->tid) memory_share(&m->memory, user, size ? size : 1);
  for (uint64_t i = 0; i < size; i++)
    if (*shadow_at(user + i) & SHADOW_SHARED) return true;
  return false;
}

/* The visible part of a free: RUN_GO when it may be done. */
static enum run free_step(struct machine *m, struct thread *t, uint64_t user) {
  if (!is_live_block(m, user)) {
    /* A step all the same, as an access that fails: it could have come before what made it fail. */
    if (!m->single && !machine_visible(m, t, EVENT_FREE, user, 1, 0, false)) return RUN_YIELD;
    machine_last_event(m)->size = 1; /* it may have become pending while the block was there */
    return bad_free(m, t, user);
  }
  uint64_t size = block_size(user);
  if (m->single || !block_is_shared(m, t, user, size)) return RUN_GO;
  return machine_visible(m, t, EVENT_FREE, user, size ? size : 1, 0, false) ? RUN_GO : RUN_YIELD;
}

static void free_block(struct machine *m, struct thread *t, uint64_t user) {
  uint32_t class_, tid = region_of(user);
  uint64_t size = block_size(user), capacity = capacity_of(size, &class_), word = memory_get(user - 8);
  unsigned state = block_state(user);
  if (m->buffers) buffers_forget(m, t->tid, user, size);
  if (m->symbolic) symbolic_forget(m, user, size);
  memory_shadow_set(&m->memory, user, size, POISON_FREED);
  memory_put(&m->memory, user - 8, (word & ~(0xffffull << 32)) | (uint64_t)(BLOCK_FREED | (state & BLOCK_ALIGNED)) << 32);
  memory_put(&m->memory, user, user_site(m, t) | (uint64_t)t->tid << 32);
  memory_put(&m->memory, user + 8, 0);
  /* What was in it makes no difference any more: states must not differ in it. */
  if (m->memory.state_asked && size > 16) memset(host_at(user + 16), 0, size - 16);
  (void)capacity;
  if (tid != t->tid || (state & BLOCK_ALIGNED)) return;
  uint64_t queue = queue_at(tid, class_), tail = memory_get(queue + 8), count = memory_get(queue + 16);
  if (count)
    memory_put(&m->memory, tail + 8, user);
  else
    memory_put(&m->memory, queue, user);
  memory_put(&m->memory, queue + 8, user);
  memory_put(&m->memory, queue + 16, count + 1);
}

/* --- builtins --- */

#define BUILTIN(name)  static enum run name(struct machine *m, struct thread *t, const uint64_t *args, uint32_t nargs, uint64_t *result)
#define UNUSED_COUNT() (void)nargs

BUILTIN(run_malloc) {
  UNUSED_COUNT();
  if (!block_begins(m, t, args[0], 16)) return RUN_YIELD;
  *result = heap_alloc(m, t, args[0], 16, false);
  return RUN_GO;
}

BUILTIN(run_calloc) {
  UNUSED_COUNT();
  uint64_t size;
  bool possible = !__builtin_mul_overflow(args[0], args[1], &size);
  if (possible && !block_begins(m, t, size, 16)) return RUN_YIELD;
  *result = possible ? heap_alloc(m, t, size, 16, true) : 0;
  return RUN_GO;
}

BUILTIN(run_free) {
  UNUSED_COUNT();
  (void)result;
  if (!args[0]) return RUN_GO;
  enum run run = free_step(m, t, args[0]);
  if (run == RUN_GO) free_block(m, t, args[0]);
  return run;
}

/* The new block of realloc() begins in the step of the old one's end, or in one of its own. */
static bool realloc_begins(struct machine *m, struct thread *t, uint64_t wanted, bool within) {
  uint64_t size, user = reused_block(m, t, wanted, 16, &size);
  if (user && within) machine_record(m, t, EVENT_ALLOC, user, size);
  return !user || within || machine_visible(m, t, EVENT_ALLOC, user, size, 0, false);
}

/* The free's step stands for the copy too: it conflicts with every access to the old block. */
BUILTIN(run_realloc) {
  UNUSED_COUNT();
  uint64_t old = args[0], size = args[1];
  if (!old) return run_malloc(m, t, &args[1], 1, result);
  size_t events = m->trace.count;
  bool begins = t->granted && t->pending.op == EVENT_ALLOC; /* the old block's end was none that others could see */
  enum run run = begins ? RUN_GO : free_step(m, t, old);
  if (run != RUN_GO) return run;
  if (size && !realloc_begins(m, t, size, m->trace.count > events)) return RUN_YIELD;
  if (size == 0) {
    free_block(m, t, old);
    *result = 0;
    return RUN_GO;
  }
  uint64_t fresh = heap_alloc(m, t, size, 16, false), kept = block_size(old) < size ? block_size(old) : size;
  *result = fresh;
  if (!fresh) return RUN_GO;
  memory_log(&m->memory, fresh, kept);
  memcpy(host_at(fresh), host_at(old), kept);
  if (m->symbolic) symbolic_copied(m, fresh, old, kept);
  for (uint64_t i = 0; i < kept; i++)
    if (!(*shadow_at(old + i) & SHADOW_UNINIT)) *shadow_at(fresh + i) &= (uint8_t)~SHADOW_UNINIT;
  free_block(m, t, old);
  return RUN_GO;
}

BUILTIN(run_reallocarray) {
  UNUSED_COUNT();
  uint64_t both[2] = {args[0], 0};
  if (__builtin_mul_overflow(args[1], args[2], &both[1])) {
    *result = 0;
    return RUN_GO;
  }
  return run_realloc(m, t, both, 2, result);
}

static bool is_power_of_two(uint64_t n) { return n && !(n & (n - 1)); }

static enum run bad_alignment(struct machine *m, struct thread *t, const char *function, uint64_t align) {
  return machine_fail(m, t, FINDING_ALLOCATION_MISUSE, "allocated", "%s with the alignment %llu, which is no power of two", function,
                      (unsigned long long)align);
}

/* C11 7.22.3.1 wanted a size that is a multiple of the alignment; C17 does not, nor do glibc and musl. */
BUILTIN(run_aligned_alloc) {
  UNUSED_COUNT();
  uint64_t align = args[0], size = args[1];
  if (!is_power_of_two(align)) return bad_alignment(m, t, "aligned_alloc", align);
  if (!block_begins(m, t, size, align)) return RUN_YIELD;
  *result = heap_alloc(m, t, size, align, false);
  return RUN_GO;
}

BUILTIN(run_memalign) {
  UNUSED_COUNT();
  if (!is_power_of_two(args[0])) return bad_alignment(m, t, "memalign", args[0]);
  if (!block_begins(m, t, args[1], args[0])) return RUN_YIELD;
  *result = heap_alloc(m, t, args[1], args[0], false);
  return RUN_GO;
}

BUILTIN(run_posix_memalign) {
  UNUSED_COUNT();
  *result = 0;
  if (sync_tells(t)) return sync_tell(m, t, args[0], 8, t->wait_ticket);
  if (!is_power_of_two(args[1]) || args[1] % 8) {
    *result = 22; /* EINVAL */
    return RUN_GO;
  }
  if (!block_begins(m, t, args[2], args[1])) return RUN_YIELD;
  uint64_t user = heap_alloc(m, t, args[2], args[1], false);
  *result = user ? 0 : 12; /* ENOMEM */
  return user ? sync_tell(m, t, args[0], 8, user) : RUN_GO;
}

BUILTIN(run_malloc_usable_size) {
  UNUSED_COUNT();
  if (!args[0]) {
    *result = 0;
    return RUN_GO;
  }
  if (!is_live_block(m, args[0])) return bad_free(m, t, args[0]);
  *result = block_size(args[0]);
  return RUN_GO;
}

const struct builtin heap_builtins[] = {
    {"malloc", run_malloc, 1},
    {"calloc", run_calloc, 2},
    {"free", run_free, 1},
    {"cfree", run_free, 1},
    {"realloc", run_realloc, 2},
    {"reallocarray", run_reallocarray, 3},
    {"aligned_alloc", run_aligned_alloc, 2},
    {"memalign", run_memalign, 2},
    {"posix_memalign", run_posix_memalign, 3},
    {"malloc_usable_size", run_malloc_usable_size, 1},
    {0},
};
