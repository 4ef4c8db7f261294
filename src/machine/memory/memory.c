#include "machine/memory/memory.h"

#include <string.h>
#include <sys/mman.h>

/* Regions are cut to their used part when they hold more than this; smaller ones are cheaper to clear by hand. */
#define DROP_PAGES (1u << 20)

bool memory_init(struct memory *mem) {
  memset(mem, 0, sizeof *mem);
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  void *base = (void *)(uintptr_t)ARENA_BASE;
  void *got = mmap(base, ARENA_SIZE + SHADOW_OFFSET, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (got == MAP_FAILED) return false;
  madvise(base, ARENA_SIZE + SHADOW_OFFSET, MADV_DONTDUMP);
  mem->globals_end = GLOBALS_BASE;
  return got == base;
}

void memory_release(struct memory *mem) {
  munmap((void *)(uintptr_t)ARENA_BASE, ARENA_SIZE + SHADOW_OFFSET);
  for (uint32_t i = 0; i < THREADS_MAX; i++) vec_release(&mem->regions[i].blocks);
  vec_release(&mem->log);
  hashmap_release(&mem->first_logged);
  vec_release(&mem->marks);
  vec_release(&mem->region_marks);
  vec_release(&mem->new_shared);
  hashmap_release(&mem->shared);
  mem_free(mem->owners, mem->nowners * sizeof *mem->owners);
  mem_free(mem->users, mem->nowners * sizeof *mem->users);
}

static uint64_t load64(const void *p) {
  uint64_t v;
  memcpy(&v, p, 8);
  return v;
}

#define EACH_BYTE(b) (0x0101010101010101ull * (b))

static void log_granule(struct memory *mem, uint64_t g) {
  uint64_t shadow = load64(shadow_at(g));
  if (!(shadow & EACH_BYTE(SHADOW_CLEAN))) return;
  *vec_push(&mem->log) = (struct granule){g, load64(host_at(g)), shadow};
  shadow &= ~EACH_BYTE(SHADOW_CLEAN);
  memcpy(shadow_at(g), &shadow, 8);
}

void memory_log(struct memory *mem, uint64_t address, uint64_t size) {
  if (mem->marks.count == 0 || size == 0) return;
  uint64_t first = address & ~7ull, last = (address + size - 1) & ~7ull;
  for (uint64_t g = first; g <= last; g += 8) log_granule(mem, g);
}

void memory_shadow_set(struct memory *mem, uint64_t address, uint64_t size, uint8_t shadow) {
  memory_log(mem, address, size);
  memset(shadow_at(address), shadow, size);
}

void memory_put(struct memory *mem, uint64_t address, uint64_t value) {
  memory_log(mem, address, 8);
  memcpy(host_at(address), &value, 8);
}

/* Sets CLEAN on every byte of the granules of [from, to) that is in use, addressable or not, so that any change is logged. */
static void set_clean(uint64_t from, uint64_t to) {
  for (uint64_t g = from & ~7ull; g < to; g += 8) {
    uint64_t shadow = load64(shadow_at(g)) | EACH_BYTE(SHADOW_CLEAN);
    memcpy(shadow_at(g), &shadow, 8);
  }
}

/* Memory of a region that came into use since the last mark. */
static void mark_region(struct memory *mem, uint32_t i) {
  struct region *r = &mem->regions[i];
  uint64_t stack_from = r->mark_sp ? r->mark_sp : region_base(i),
           heap_from = r->mark_heap ? r->mark_heap : region_base(i) + REGION_STACK_SIZE;
  set_clean(stack_from, r->sp);
  set_clean(heap_from, r->heap_top);
  if (r->sp > r->mark_sp) r->mark_sp = r->sp;
  r->mark_heap = r->heap_top;
  *vec_push(&mem->region_marks) = (struct region_mark){r->sp, r->heap_top, r->mark_sp, r->mark_heap, r->peak_sp, r->blocks.count};
}

size_t memory_mark(struct memory *mem) {
  size_t number = mem->marks.count;
  if (number && mem->state_asked) memory_state(mem);
  if (number && !mem->state_asked) mem->state_known = false;
  if (number == 0) {
    set_clean(GLOBALS_BASE, mem->globals_end);
    vec_clear(&mem->log);
  } else {
    for (size_t i = vec_last(&mem->marks).log; i < mem->log.count; i++) set_clean(mem->log.data[i].address, mem->log.data[i].address + 1);
  }
  if (number == 0) mem->state = (struct fingerprint){0, 0}, mem->state_known = true;
  mem->state_log = mem->log.count;
  *vec_push(&mem->marks) = (struct memory_mark){mem->log.count, mem->region_marks.count, mem->nactive, mem->state_known, mem->state};
  for (uint32_t k = 0; k < mem->nactive; k++) mark_region(mem, mem->active[k]);
  return number;
}

/* Makes [from, to) unaddressable and forgets its pages if they are many. */
static void forget(uint64_t from, uint64_t to) {
  if (to <= from) return;
  if (to - from < DROP_PAGES) {
    memset(shadow_at(from), 0, to - from);
    return;
  }
  uint64_t page_from = (from + 4095) & ~4095ull, page_to = to & ~4095ull;
  memset(shadow_at(from), 0, page_from - from);
  memset(shadow_at(page_to), 0, to - page_to);
  madvise(shadow_at(page_from), page_to - page_from, MADV_DONTNEED);
  madvise(host_at(page_from), page_to - page_from, MADV_DONTNEED);
}

/* Gives the memory that has been found shared since the last rollback its bit in the marked state. */
static void apply_new_shared(struct memory *mem) {
  for (size_t i = 0; i < mem->new_shared.count; i++) {
    uint64_t g = mem->new_shared.data[i];
    uint8_t *shadow = shadow_at(g);
    for (unsigned b = 0; b < 8; b++)
      if (shadow[b] & SHADOW_OK) shadow[b] |= SHADOW_SHARED;
  }
  vec_clear(&mem->new_shared);
  mem->sharing_changed = false;
}

/* `to`: NULL if the region was not in use at the mark. */
static void rollback_region(struct memory *mem, uint32_t i, const struct region_mark *to) {
  static const struct region_mark none = {0};
  struct region *r = &mem->regions[i];
  if (!to) to = &none;
  forget(to->mark_sp ? to->mark_sp : region_tls(i), r->high_sp);
  forget(to->mark_heap ? to->mark_heap : region_base(i) + REGION_STACK_SIZE, r->high_heap);
  r->sp = to->sp, r->heap_top = to->heap_top;
  r->mark_sp = r->high_sp = to->mark_sp;
  r->peak_sp = to->peak_sp;
  r->mark_heap = r->high_heap = to->mark_heap;
  r->blocks.count = to->blocks;
}

void memory_rollback(struct memory *mem, size_t number) {
  const struct memory_mark *to = &mem->marks.data[number];
  for (size_t i = mem->log.count; i-- > to->log;) {
    const struct granule *g = &mem->log.data[i];
    memcpy(host_at(g->address), &g->data, 8);
    memcpy(shadow_at(g->address), &g->shadow, 8);
  }
  if (mem->print_log > to->log) mem->print_log = 0;
  mem->log.count = mem->state_log = to->log;
  mem->state_known = to->state_known, mem->state = to->state;
  for (uint32_t k = 0; k < mem->nactive; k++)
    rollback_region(mem, mem->active[k], k < to->nactive ? &mem->region_marks.data[to->regions + k] : NULL);
  mem->nactive = to->nactive;
  mem->region_marks.count = to->regions + to->nactive;
  mem->marks.count = number + 1;
  if (number == 0) apply_new_shared(mem);
}

void region_begin(struct memory *mem, uint32_t tid, const uint8_t *tls, uint64_t tls_size, uint64_t tls_align) {
  (void)tls_align; /* the block begins at a page */
  struct region *r = &mem->regions[tid];
  mem->active[mem->nactive++] = (uint8_t)tid;
  uint64_t block = region_tls(tid);
  r->sp = (block + tls_size + 16 + 15) & ~15ull;
  r->high_sp = r->peak_sp = r->sp;
  r->heap_top = r->high_heap = region_base(tid) + REGION_STACK_SIZE;
  if (tls_size) {
    memcpy(host_at(block), tls, tls_size);
    memset(shadow_at(block), SHADOW_OK, tls_size);
    memory_apply_shared(mem, tid, block, tls_size);
  }
}

void region_begin_again(struct memory *mem, uint32_t tid, const uint8_t *tls, uint64_t tls_size) {
  uint64_t block = region_tls(tid);
  if (tls_size == 0) return;
  memory_shadow_set(mem, block, tls_size, SHADOW_OK);
  memcpy(host_at(block), tls, tls_size);
  memory_apply_shared(mem, tid, block, tls_size);
}

uint64_t stack_alloc(struct memory *mem, uint32_t tid, uint64_t size, uint64_t align) {
  struct region *r = &mem->regions[tid];
  uint64_t address = stack_place(r->sp, align);
  uint64_t limit = region_base(tid) + REGION_STACK_SIZE - 4096;
  if (size > limit || address + size + 32 > limit) return 0;
  uint64_t end = (address + size + 16 + 15) & ~15ull;
  if (r->sp < r->mark_sp) memory_log(mem, r->sp, end - r->sp);
  memset(host_at(address), 0, size);
  memset(shadow_at(r->sp), POISON_STACK_GAP, address - r->sp);
  memset(shadow_at(address), SHADOW_OK | SHADOW_UNINIT, size);
  memset(shadow_at(address + size), POISON_STACK_GAP, end - address - size);
  r->sp = end;
  if (end > r->high_sp) r->high_sp = end;
  if (end > r->peak_sp) r->peak_sp = end;
  memory_apply_shared(mem, tid, address, size);
  return address;
}

void stack_restore(struct memory *mem, uint32_t tid, uint64_t sp) {
  struct region *r = &mem->regions[tid];
  if (sp >= r->sp) return;
  if (sp < r->mark_sp) memory_log(mem, sp, (r->sp < r->mark_sp ? r->sp : r->mark_sp) - sp);
  memset(shadow_at(sp), POISON_DEAD_STACK, r->sp - sp);
  r->sp = sp;
  if (sp < r->low_sp) r->low_sp = sp;
}

/* --- sharing --- */

void memory_apply_shared(struct memory *mem, uint32_t tid, uint64_t address, uint64_t size) {
  const struct region *r = &mem->regions[tid];
  if (address >= r->shared_high || address + size <= r->shared_low) return;
  for (uint64_t g = address & ~7ull; g < address + size; g += 8) {
    if (!hashmap_find(&mem->shared, g)) continue;
    uint8_t *shadow = shadow_at(g);
    for (unsigned b = 0; b < 8; b++)
      if (shadow[b] & SHADOW_OK) shadow[b] |= SHADOW_SHARED;
  }
}

bool memory_any_shared(const struct memory *mem, uint32_t tid, uint64_t address, uint64_t size) {
  const struct region *r = &mem->regions[tid];
  if (address >= r->shared_high || address + size <= r->shared_low) return false;
  for (uint64_t g = address & ~7ull; g < address + size; g += 8)
    if (hashmap_find(&mem->shared, g)) return true;
  return false;
}

bool memory_known_shared(const struct memory *mem, uint32_t tid, uint64_t *from, uint64_t *to) {
  const struct region *r = &mem->regions[tid];
  uint64_t first = *from > r->stack_low ? *from : r->stack_low, end = *to < r->stack_high ? *to : r->stack_high, low = 0, high = 0;
  for (uint64_t g = first & ~7ull; first < end && g < end; g += 8) {
    if (!hashmap_find(&mem->shared, g)) continue;
    if (low == 0) low = g;
    high = g + 8;
  }
  *from = low > *from ? low : *from, *to = high < *to ? high : *to;
  return high != 0;
}

/* Was this memory in use at mark 0? */
static bool in_initial_state(const struct memory *mem, uint64_t address) {
  uint32_t tid = region_of(address);
  if (tid == UINT32_MAX || mem->marks.count == 0) return true;
  for (uint32_t k = 0; k < mem->marks.data[0].nactive; k++) {
    const struct region_mark *r = &mem->region_marks.data[k];
    if (mem->active[k] == tid) return address < r->mark_sp || (address >= region_base(tid) + REGION_STACK_SIZE && address < r->mark_heap);
  }
  return false;
}

static void widen(uint64_t *low, uint64_t *high, uint64_t address, uint64_t size) {
  if (*low == 0 || address < *low) *low = address & ~7ull;
  if (address + size > *high) *high = (address + size + 7) & ~7ull;
}

void memory_share(struct memory *mem, uint64_t address, uint64_t size) {
  uint32_t tid = region_of(address);
  for (uint64_t g = address & ~7ull; g < address + size; g += 8) {
    bool is_new = false;
    hashmap_at(&mem->shared, g, 1, &is_new);
    if (is_new) {
      mem->sharing_changed = true;
      if (in_initial_state(mem, g)) *vec_push(&mem->new_shared) = g;
    }
    uint8_t *shadow = shadow_at(g);
    memory_log(mem, g, 8);
    for (unsigned b = 0; b < 8; b++)
      if (shadow[b] & SHADOW_OK) shadow[b] |= SHADOW_SHARED;
  }
  if (tid == UINT32_MAX) return;
  struct region *r = &mem->regions[tid];
  widen(&r->shared_low, &r->shared_high, address, size);
  if (address - region_base(tid) < REGION_STACK_SIZE) widen(&r->stack_low, &r->stack_high, address, size);
}

/* owners[]: 0 untouched; tid + 1 | OWNER_WROTE: touched by that thread alone; OWNER_MANY: read by several, written by none. */
#define OWNER_WROTE 0x8000u
#define OWNER_MANY  0x7fffu

static void make_owners(struct memory *mem) {
  mem->nowners = (mem->globals_end - GLOBALS_BASE) / 8 + 1;
  mem->owners = mem_alloc(mem->nowners * sizeof *mem->owners);
  mem->users = mem_alloc(mem->nowners * sizeof *mem->users);
}

static bool used_by_many(uint16_t user) { return user >= OWNER_MANY; }

/* users[]: 0, tid + 1, or OWNER_MANY; of the first granule of an object all of whose granules many have used, USERS_MANY | how many those
 * are. Who has touched these otherwise, or does so later, has shared them. */
void memory_use_global(struct memory *mem, uint32_t tid, uint64_t address, uint64_t size) {
  uint16_t me = (uint16_t)(tid + 1);
  if (address < GLOBALS_BASE || address + size > mem->globals_end) return;
  if (!mem->owners) make_owners(mem);
  size_t first = (address - GLOBALS_BASE) / 8, n = 0;
  bool many = true;
  for (uint64_t g = address & ~7ull; g < address + size; g += 8, n++) {
    uint16_t *user = &mem->users[first + n], owner = mem->owners[first + n] & (uint16_t)~OWNER_WROTE;
    if (!used_by_many(*user) && *user != me) {
      *user = *user == 0 ? me : (uint16_t)OWNER_MANY;
      mem->uses++;
    }
    many &= used_by_many(*user);
    if (owner && owner != me && !(*shadow_at(g) & SHADOW_SHARED)) memory_share(mem, g, 8);
  }
  if (many && n < OWNER_MANY) mem->users[first] = (uint16_t)(USERS_MANY | n);
}

bool memory_touch_global(struct memory *mem, uint32_t tid, uint64_t address, uint64_t size, bool write) {
  if (!mem->owners) make_owners(mem);
  bool shared = false;
  for (uint64_t g = address & ~7ull; g < address + size; g += 8) {
    uint16_t *owner = &mem->owners[(g - GLOBALS_BASE) / 8];
    uint16_t me = (uint16_t)(tid + 1), before = *owner;
    if (*owner == 0 || (*owner & ~OWNER_WROTE) == me) {
      *owner = (uint16_t)(me | (*owner & OWNER_WROTE) | (write ? OWNER_WROTE : 0));
    } else if (!write && !(*owner & OWNER_WROTE)) {
      *owner = OWNER_MANY;
    } else {
      memory_share(mem, g, 8);
      shared = true;
    }
    mem->uses += *owner != before;
    uint16_t user = mem->users[(g - GLOBALS_BASE) / 8];
    if (user == 0 || user == me) continue;
    memory_share(mem, g, 8);
    shared = true;
  }
  return shared;
}

/* --- fingerprint --- */

/* What a granule adds: nothing when its addressable bytes are zero, so that fresh memory and none are alike. */
static struct fingerprint granule_print(uint64_t address, uint64_t data, uint64_t shadow) {
  uint64_t ok = shadow >> 5 & EACH_BYTE(1);
  uint64_t mask = ok * 255;
  data &= mask;
  if (data == 0) return (struct fingerprint){0, 0};
  return fingerprint_of(address, data);
}

static void print_range(struct fingerprint *f, uint64_t from, uint64_t to) {
  for (uint64_t g = from & ~7ull; g < to; g += 8) fingerprint_xor(f, granule_print(g, load64(host_at(g)), load64(shadow_at(g))));
}

/* With several marks a granule may have been logged several times: its first entry from `from` on has its content there. The table keeps
 * where that is; what it says of entries that were rolled back since does not hold, and shows as such. */
static bool logged_since(struct memory *mem, size_t i, size_t from) {
  uint64_t address = mem->log.data[i].address, *first = hashmap_at(&mem->first_logged, address, i, NULL);
  if (*first < i && *first >= from && mem->log.data[*first].address == address) return true;
  *first = i;
  return false;
}

/* What has changed since the log had `from` entries, when all memory was CLEAN, in memory that was in use at mark 0. */
static struct fingerprint changes_since(struct memory *mem, size_t from) {
  struct fingerprint f = {0, 0};
  bool again = mem->marks.count > 1 || mem->state_asked;
  for (size_t i = from; i < mem->log.count; i++) {
    const struct granule *g = &mem->log.data[i];
    if (!in_initial_state(mem, g->address) || (again && logged_since(mem, i, from))) continue;
    fingerprint_xor(&f, granule_print(g->address, g->data, g->shadow));
    fingerprint_xor(&f, granule_print(g->address, load64(host_at(g->address)), load64(shadow_at(g->address))));
  }
  return f;
}

struct fingerprint memory_fingerprint(struct memory *mem) {
  if (mem->state_asked) (void)memory_state(mem); /* makes everything CLEAN: the log grows with each step, and is not gone through again */
  if (mem->print_log == 0) mem->print = (struct fingerprint){0, 0};
  struct fingerprint f = changes_since(mem, mem->print_log);
  fingerprint_xor(&f, mem->print);
  if (mem->state_asked) mem->print = f, mem->print_log = mem->log.count;
  for (uint32_t k = 0; k < mem->nactive; k++) {
    uint32_t i = mem->active[k];
    const struct region *r = &mem->regions[i];
    const struct region_mark *initial = mem->marks.count && k < mem->marks.data[0].nactive ? &mem->region_marks.data[k] : NULL;
    uint64_t stack_from = initial ? initial->mark_sp : region_base(i),
             heap_from = initial ? initial->mark_heap : region_base(i) + REGION_STACK_SIZE;
    if (r->sp > stack_from) print_range(&f, stack_from, r->sp);
    if (r->heap_top > heap_from) print_range(&f, heap_from, r->heap_top);
  }
  return f;
}

/* What the log says comes first: its oldest entry for the granule has the content at mark 0. */
static uint8_t initial_byte(const struct memory *mem, uint64_t address, uint8_t *shadow) {
  uint64_t at = address & 7;
  for (size_t i = 0; i < mem->log.count; i++) {
    const struct granule *g = &mem->log.data[i];
    if (g->address != address - at) continue;
    *shadow = (uint8_t)(g->shadow >> (8 * at));
    return (uint8_t)(g->data >> (8 * at));
  }
  *shadow = *shadow_at(address);
  return *(const uint8_t *)host_at(address);
}

bool memory_initial(const struct memory *mem, uint64_t address, uint32_t n, uint64_t *value) {
  *value = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint8_t shadow;
    if (!in_initial_state(mem, address + i)) return false;
    *value |= (uint64_t)initial_byte(mem, address + i, &shadow) << (8 * i);
    if (!(shadow & SHADOW_OK) || (shadow & SHADOW_UNINIT)) return false;
  }
  return true;
}
