/* The state of memory as a fingerprint, kept up to date by the log.
 *
 * Each call makes the memory CLEAN again, as a mark does, so that whatever changes until the next call is logged once, with what it was:
 * the fingerprint changes by the XOR of both. Memory that came into use since then (above the frontiers) is added as a whole and counts as
 * marked from then on. A rollback restores what the mark knew. */
#include <string.h>

#include "machine/memory/memory.h"

#define EACH_BYTE(b) (0x0101010101010101ull * (b))

static inline uint64_t load64(const void *p) {
  uint64_t v;
  memcpy(&v, p, 8);
  return v;
}

static inline bool in_heap(uint64_t address) {
  return address >= region_base(0) && (address - region_base(0)) % REGION_SIZE >= REGION_STACK_SIZE;
}

/* What the state of memory has of a granule's shadow bytes. What is no object's first byte does not count; nor does that one as long as
 * there is nothing but zero: objects that nobody uses are all alike. */
static inline uint64_t shadow_state(uint64_t data, uint64_t shadow, uint64_t ok) {
  uint64_t low = ok * SHADOW_OBJECT, rest = shadow & shadow >> 1 & shadow >> 2 & ok;
  shadow &= ~(data ? rest * SHADOW_OBJECT : low);
  return shadow & EACH_BYTE(SHADOW_OK | SHADOW_UNINIT | SHADOW_OBJECT);
}

/* What a granule adds. Of unaddressable bytes it matters why they are; their content only in the heap, where it is the allocator's own. A
 * stack has no such bytes that could be told from those above its pointer. */
static inline struct fingerprint granule_state(uint64_t address, uint64_t data, uint64_t shadow) {
  uint64_t ok = shadow >> 5 & EACH_BYTE(1);
  shadow = shadow_state(data, shadow, ok);
  if (!in_heap(address)) {
    data &= ok * 255;
    if (ok == 0 && address >= region_base(0)) return (struct fingerprint){0, 0};
  }
  if ((data | shadow) == 0) return (struct fingerprint){0, 0};
  return fingerprint_of(address, hash_mix(shadow) ^ data);
}

static inline struct fingerprint granule_now(uint64_t address) {
  return granule_state(address, load64(host_at(address)), load64(shadow_at(address)));
}

struct fingerprint memory_state_masked(uint64_t granule, uint64_t mask) {
  struct fingerprint f = granule_now(granule);
  fingerprint_xor(&f, granule_state(granule, load64(host_at(granule)) & ~mask, load64(shadow_at(granule))));
  return f;
}

static inline void make_clean(uint64_t granule) {
  uint64_t shadow = load64(shadow_at(granule)) | EACH_BYTE(SHADOW_CLEAN);
  memcpy(shadow_at(granule), &shadow, 8);
}

static void add_range(struct fingerprint *f, uint64_t from, uint64_t to, bool clean) {
  for (uint64_t g = from & ~7ull; g < to; g += 8) {
    fingerprint_xor(f, granule_now(g));
    if (clean) make_clean(g);
  }
}

/* What came into use above the frontiers since the last mark or call. */
static inline void add_new(struct memory *mem, uint32_t i) {
  struct region *r = &mem->regions[i];
  if (r->sp > r->mark_sp) {
    add_range(&mem->state, r->mark_sp ? r->mark_sp : region_base(i), r->sp, true);
    r->mark_sp = r->sp;
  }
  if (r->heap_top > r->mark_heap) {
    add_range(&mem->state, r->mark_heap ? r->mark_heap : region_base(i) + REGION_STACK_SIZE, r->heap_top, true);
    r->mark_heap = r->heap_top;
  }
}

/* Frontiers at mark 0. */
static void initial_frontiers(const struct memory *mem, uint32_t k, uint64_t *sp, uint64_t *heap) {
  const struct memory_mark *first = mem->marks.count ? &mem->marks.data[0] : NULL;
  uint32_t i = mem->active[k];
  bool active = first && k < first->nactive;
  *sp = active ? mem->region_marks.data[first->regions + k].mark_sp : region_base(i);
  *heap = active ? mem->region_marks.data[first->regions + k].mark_heap : region_base(i) + REGION_STACK_SIZE;
}

static bool was_initial(const struct memory *mem, uint64_t address) {
  uint32_t tid = region_of(address);
  for (uint32_t k = 0; tid != UINT32_MAX && k < mem->nactive; k++) {
    uint64_t sp, heap;
    if (mem->active[k] != tid) continue;
    initial_frontiers(mem, k, &sp, &heap);
    return address < sp || (address >= region_base(tid) + REGION_STACK_SIZE && address < heap);
  }
  return tid == UINT32_MAX;
}

struct fingerprint memory_state_anew(struct memory *mem) {
  struct fingerprint f = {0, 0};
  struct hashmap seen = {0};
  for (size_t i = 0; i < mem->log.count; i++) {
    const struct granule *g = &mem->log.data[i];
    bool is_new;
    hashmap_at(&seen, g->address, 0, &is_new);
    if (!is_new || !was_initial(mem, g->address)) continue;
    fingerprint_xor(&f, granule_state(g->address, g->data, g->shadow));
    fingerprint_xor(&f, granule_now(g->address));
  }
  hashmap_release(&seen);
  for (uint32_t k = 0; k < mem->nactive; k++) {
    const struct region *r = &mem->regions[mem->active[k]];
    uint64_t sp, heap;
    initial_frontiers(mem, k, &sp, &heap);
    add_range(&f, sp, r->sp, false);
    add_range(&f, heap, r->heap_top, false);
  }
  return f;
}

struct fingerprint memory_state(struct memory *mem) {
  mem->state_asked = true;
  bool known = mem->state_known;
  if (!known) mem->state = memory_state_anew(mem);
  struct fingerprint anew = mem->state;
  for (size_t i = mem->state_log; i < mem->log.count; i++) {
    const struct granule *g = &mem->log.data[i];
    fingerprint_xor(&mem->state, granule_state(g->address, g->data, g->shadow));
    fingerprint_xor(&mem->state, granule_now(g->address));
    make_clean(g->address);
  }
  for (uint32_t k = 0; k < mem->nactive; k++) add_new(mem, mem->active[k]);
  if (!known) mem->state = anew;
  mem->state_log = mem->log.count;
  mem->state_known = true;
  return mem->state;
}
