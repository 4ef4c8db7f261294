#include "record/places.h"

#include "record/file.h"
#include "record/record.h"

struct named {
  const void *names;
  size_t size;
  uint32_t first;
  struct named *next;
};
static struct named *all_named;

uint32_t record_places_name(const void *names, size_t size, uint32_t sites) {
  struct named *n = rt_alloc(sizeof *n);
  uint32_t first = file_take_sites(sites);
  file_write_names(names, size, first, 0);
  if (!n) return first;
  *n = (struct named){names, size, first, __atomic_load_n(&all_named, __ATOMIC_RELAXED)};
  while (!__atomic_compare_exchange_n(&all_named, &n->next, n, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) continue;
  return first;
}

void record_places_after_fork(void) {
  for (const struct named *n = all_named; n; n = n->next) file_write_names(n->names, n->size, n->first, 0);
}
