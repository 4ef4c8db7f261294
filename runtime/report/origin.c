#include "report/origin.h"

#include <malloc.h>

#include "sync.h"

enum { DESCRIPTORS = 1 << 16 };
static uint64_t descriptors[DESCRIPTORS]; /* never touched: their shadow is what counts */

uintptr_t descriptor_word(int fd) { return fd >= 0 && fd < DESCRIPTORS ? (uintptr_t)&descriptors[fd] : 0; }

int descriptor_of(uintptr_t word) {
  uintptr_t offset = word - (uintptr_t)descriptors;
  return offset < sizeof descriptors ? (int)(offset / sizeof descriptors[0]) : -1;
}

static uint64_t origins[DESCRIPTORS]; /* site:32 maker:32 */

void descriptor_opened(int fd, uint32_t site, uint32_t thread) {
  if (fd >= 0 && fd < DESCRIPTORS) __atomic_store_n(&origins[fd], (uint64_t)site << 32 | (thread + 1), __ATOMIC_RELAXED);
}

/* The block that the address is in. */
static bool block_at(uintptr_t address, enum origin_search how, struct origin *o) {
  struct block b;
  if (!block_of(address, how, &b)) return false;
  size_t size = malloc_usable_size((void *)b.start);
  if (address - b.start >= size) return false;
  *o = (struct origin){.site = b.site, .maker = b.maker, .start = b.start, .size = size};
  if (b.spare < BLOCK_SPARE && b.spare <= size) o->size -= b.spare;
  return true;
}

struct origin origin_of(uintptr_t address, enum origin_search how) {
  struct origin o = {0};
  int fd = descriptor_of(address);
  uint64_t from = fd >= 0 ? __atomic_load_n(&origins[fd], __ATOMIC_RELAXED) : 0;
  if (fd >= 0)
    o.site = (uint32_t)(from >> 32), o.maker = (uint32_t)from;
  else
    block_at(address, how, &o);
  return o;
}
