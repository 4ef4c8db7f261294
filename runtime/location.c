#include "location.h"

#include <malloc.h>

#include "symbol.h"
#include "sync.h"

struct location location_of(uintptr_t address) {
  struct location l = {0};
  if (!address) return l;
  if (block_of(address, &l.start, &l.site) && address - l.start < malloc_usable_size((void *)l.start))
    l.kind = LOCATION_HEAP;
  else if (symbol_of_data(address, &l.name, &l.start, &l.size, &l.module))
    l.kind = LOCATION_GLOBAL;
  return l;
}
