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

static uint32_t origins[DESCRIPTORS];

void descriptor_opened(int fd, uint32_t site) {
  if (fd >= 0 && fd < DESCRIPTORS) __atomic_store_n(&origins[fd], site, __ATOMIC_RELAXED);
}

struct origin origin_of(uintptr_t address, enum origin_search how) {
  struct origin o = {0};
  int fd = descriptor_of(address);
  if (fd >= 0)
    o.site = __atomic_load_n(&origins[fd], __ATOMIC_RELAXED);
  else if (!block_of(address, how, &o.start, &o.site) || address - o.start >= malloc_usable_size((void *)o.start))
    o = (struct origin){0};
  return o;
}
