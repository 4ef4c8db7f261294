#include "location.h"

#include <malloc.h>

#include "symbol.h"
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

struct location location_of(uintptr_t address) {
  struct location l = {0};
  if (!address) return l;
  l.descriptor = descriptor_of(address);
  if (l.descriptor >= 0) {
    l.kind = LOCATION_DESCRIPTOR;
    l.site = __atomic_load_n(&origins[l.descriptor], __ATOMIC_RELAXED);
    return l;
  }
  if (block_of(address, &l.start, &l.site) && address - l.start < malloc_usable_size((void *)l.start))
    l.kind = LOCATION_HEAP;
  else if (symbol_of_data(address, &l.name, &l.start, &l.size, &l.module))
    l.kind = LOCATION_GLOBAL;
  return l;
}
